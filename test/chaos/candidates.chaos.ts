import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { answerChecked, modelAt, upstreamsAt } from "../support/checked-models.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

const ROUNDS = 12;
const CALLERS = 4;
const CANDIDATES = 3;
const KEY = "a-bootstrap-key-for-chaos";

/** What stands in the database of one inference. */
interface Kept {
  readonly status: string;
  readonly attempts: number;
  /** Those of which the cost is known. */
  readonly priced: number;
  readonly winners: number;
  readonly isSumOfAttempts: boolean;
}

describe.each(ENGINES)("kill -9 in the middle of several answers on %s", (engine) => {
  const databases = useDatabases(engine);

  it(`leaves one record of each request in ${ROUNDS} rounds, with what its answers have cost`, async () => {
    const upstream = await startScriptedUpstream();
    // The first answers of a round come soon, the others after a time that the kill may come before.
    upstream.answerBy((path, body) => answerChecked(path, body, () => "text", Math.random() < 0.4 ? 20 : 400));
    const folder = createCliFolder();
    const model = modelAt(["chat"], { name: "m", candidates: CANDIDATES });
    writeFileSync(join(folder.path, "attune.yaml"), `upstreams: ${upstreamsAt(upstream.url)}\nmodels: ${model}\n`);
    const environment = { ATTUNE_DATABASE_URL: databases.url, ATTUNE_BOOTSTRAP_KEY: KEY };
    const ids: string[] = [];
    let sent = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const served = await startServed(folder, environment);
      const before = upstream.received.length;
      let ended = 0;
      const asked = Array.from({ length: CALLERS }, async () => {
        sent += 1;
        const answer = await askSeveral(served.url).catch(() => undefined);
        if (answer !== undefined) ids.push(answer);
        ended += 1;
      });
      // A call that is not worth the wait may be broken off before it has reached the upstream.
      const areAsked = (): boolean => upstream.received.length >= before + CALLERS * CANDIDATES || ended === CALLERS;
      await vi.waitUntil(areAsked, { timeout: 120_000, interval: 2 });
      await delay(Math.random() * 500);
      await served.kill();
      await Promise.all(asked);
    }
    // What the last one left is taken over by the next, and again by nobody.
    for (let start = 0; start < 2; start++) expect(await (await startServed(folder, environment)).end()).toBe(0);
    await folder.remove();
    await upstream.close();
    const { kept, calls, costNanos, billed } = await readAll(databases.url);
    const cutOff = [...kept.values()].filter(({ status }) => status === "canceled");
    report(
      `kill -9 in the middle of ${CANDIDATES} answers on ${engine}: ${sent} requests sent, ${ids.length} answered; ` +
        `${kept.size} records, ${cutOff.length} of them cut off; the hours count ${calls}`,
    );
    expect(kept.size).toBe(sent);
    expect(calls).toBe(sent);
    expect(billed).toBe(costNanos);
    expect(ids.filter((id) => kept.get(id)?.status !== "completed")).toEqual([]);
    expect(cutOff.length).toBeGreaterThan(ROUNDS);
    const whole = { attempts: CANDIDATES, priced: CANDIDATES, isSumOfAttempts: true };
    for (const found of kept.values()) expect(found).toMatchObject(whole);
    expect(cutOff.filter(({ winners }) => winners > 0)).toEqual([]);
  });
});

/** Asks for several answers; returns the id of the inference. */
async function askSeveral(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "attune-candidates": `${CANDIDATES}`,
    },
    body: JSON.stringify({ model: "attune/m", messages: [{ role: "user", content: "Say something." }] }),
  });
  const answer = (await response.json()) as { id: string };
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return answer.id;
}

async function readAll(databaseUrl: string) {
  const store = await openStore(databaseUrl);
  try {
    const rows = await store.query().selectFrom("Inference").select(["id", "status", "costNanos"]).execute();
    const all = await store.query().selectFrom("InferenceAttempt").select(["id", "isWinner", "costNanos"]).execute();
    const byId = Map.groupBy(all, ({ id }) => id);
    const kept = new Map(
      rows.map(({ id, status, costNanos }): [string, Kept] => {
        const attempts = byId.get(id) ?? [];
        const priced = attempts.filter((attempt) => attempt.costNanos !== null);
        const sum = priced.reduce((total, attempt) => total + Number(attempt.costNanos), 0);
        const winners = attempts.filter(({ isWinner }) => isWinner).length;
        const isSumOfAttempts = sum > 0 && Number(costNanos) === sum;
        return [id, { status, attempts: attempts.length, priced: priced.length, winners, isSumOfAttempts }];
      }),
    );
    if (kept.size !== rows.length) throw new Error("an inference is there twice");
    const { calls, cost } = await store
      .query()
      .selectFrom("UsageHour")
      .select(({ fn }) => [fn.sum("calls").as("calls"), fn.sum("costNanos").as("cost")])
      .executeTakeFirstOrThrow();
    const costNanos = rows.reduce((total, row) => total + Number(row.costNanos), 0);
    return { kept, calls: Number(calls), billed: Number(cost), costNanos };
  } finally {
    await store.close();
  }
}
