import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

const KEY = "a-bootstrap-key-of-this-test";
const HEADERS = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
const KILLS = 3;
/** Trials between two kills. */
const TRIALS = 20;
const CALLERS = 4;
/** The money of a day for each replica: a trial takes some 0.0004 USD of it, and sets aside some 0.004 before. */
const NANOS_OF_REPLICA = 100_000_000;
/** Set aside by the four trials and grades that a replica makes at a time, while another one finds too little left. */
const MOST_SET_ASIDE = 4 * 4_000_000;
const SPENT = 'attune_shadow_skipped_total\\{reason="spend"\\}';

const yamlOf = (url: string, nanosOfDay: number): string => `
bootstrapKey: ${KEY}
learning: { unit: request, shadow: { share: 1, judge: judge, usdPerDay: ${nanosOfDay / 1e9} } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${["base", "good", "judge"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 200
    price: { input: 1, output: ${name === "judge" ? 0.1 : 5} }
    deployments: [ { upstream: chat, model: ${name} } ]`,
  )
  .join("")}
`;

/** Models that all say the same, which the judge finds good. */
function say(body: string) {
  const { model } = JSON.parse(body) as { model: string };
  const content = model === "judge" ? '{"satisfactory": true, "reason": "Why not."}' : "An answer.";
  const answer = {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
  return { whole: wholeAnswer(JSON.stringify(answer)), streamed: wholeAnswer("") };
}

describe.each(ENGINES)("trials of processes that are killed, on %s", (engine) => {
  const databases = useDatabases(engine);
  /** Replicas share a database; a file is of one process. */
  const replicas = engine === "sqlite" ? 1 : 2;
  const nanosOfDay = replicas * NANOS_OF_REPLICA;
  const folders: CliFolder[] = [];
  let upstream: ScriptedUpstream;
  let store: Store;
  let url: string;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy((_, body) => say(body));
    url = await databases.newMigratedUrl();
    store = await openStore(url);
    for (let replica = 0; replica < replicas; replica++) {
      const folder = createCliFolder();
      writeFileSync(join(folder.path, "attune.yaml"), yamlOf(upstream.url, nanosOfDay));
      folders.push(folder);
    }
  });
  afterAll(async () => {
    for (const folder of folders) await folder.remove();
    await store.close();
    await upstream.close();
  });

  /** A spool is of its folder: who starts again goes on with what the killed one had. */
  const start = (folder: CliFolder | undefined): Promise<Served> => {
    if (folder === undefined) throw new Error("there is no such replica");
    return startServed(folder, { ATTUNE_DATABASE_URL: url });
  };
  const recorded = () => store.query().selectFrom("ShadowTrial").selectAll().execute();

  /** Calls, with feedback of either kind, until a condition holds or the process is gone; returns the ids. */
  async function callUntil(served: Served, isOver: () => boolean): Promise<string[]> {
    const ids: string[] = [];
    const post = async (path: string, body: object) => {
      const options = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
      return (await (await fetch(`${served.url}${path}`, options)).json()) as { id: string };
    };
    for (let count = 0; !isOver(); count++) {
      const messages = [{ role: "user", content: `Question ${count}` }];
      try {
        const { id } = await post("/v1/chat/completions", { model: "attune/base", messages });
        ids.push(id);
        await post("/v1/feedback", [{ id, feedback: { correct: count % 2 === 0 } }]);
      } catch {
        break;
      }
    }
    return ids;
  }

  /** Has callers at each replica until something holds; returns the ids by replica. */
  async function underLoad(served: readonly Served[], until: () => Promise<void>): Promise<string[][]> {
    let isOver = false;
    const load = served.map((one) => Promise.all(Array.from({ length: CALLERS }, () => callUntil(one, () => isOver))));
    try {
      await until();
    } finally {
      isOver = true;
    }
    return (await Promise.all(load)).map((ids) => ids.flat());
  }

  /** The grades that are on record, and those that were learned, of trials and of checks. */
  async function counts() {
    const rows = await recorded();
    const gradesOf = (kind: string) =>
      rows
        .flatMap((row) => (row.kind === kind ? [row.servedGood, row.trialGood] : []))
        .filter((grade) => grade !== null);
    const [{ projectId } = { projectId: "" }] = rows;
    const policy = (await readWorkload(store, { projectId, model: "base" }))?.learned?.policy;
    const learned = policy?.byFamilyAndArm["gradeCounts"]?.reduce((sum, count) => sum + count, 0);
    const checked = (policy?.totals["praised"] ?? 0) + (policy?.totals["rejected"] ?? 0);
    return { recorded: [gradesOf("trial").length, gradesOf("check").length], learned: [learned, checked] };
  }

  it(`are on the bill and learned once, and share the money of the day, in ${KILLS} kills of ${replicas}`, async () => {
    let served = await Promise.all(folders.map(start));
    for (let kill = 0; kill < KILLS; kill++) {
      const killed = kill % replicas;
      const { length } = await recorded();
      await underLoad(served, async () => {
        await expect
          .poll(async () => (await recorded()).length, { timeout: 120_000 })
          .toBeGreaterThan(length + TRIALS * replicas);
        await served[killed]?.kill();
      });
      const again = await start(folders[killed]);
      served = served.map((one, replica) => (replica === killed ? again : one));
    }
    // Until the money is spent, wherever it was spent.
    const skipped = () => Promise.all(served.map((one) => one.metric(SPENT).catch(() => 0)));
    const calledAt = await underLoad(served, () =>
      expect.poll(async () => Math.min(...(await skipped())), { timeout: 240_000 }).toBeGreaterThan(0),
    );
    // The spool is drained, and answers with feedback are graded, for a while after the start.
    const settled = async () => {
      const { recorded: onRecord, learned } = await counts();
      const ids = new Set((await store.query().selectFrom("Inference").select("id").execute()).map(({ id }) => id));
      const orphans = (await recorded()).filter(({ inferenceId }) => !ids.has(inferenceId)).length;
      const waiting = (await store.query().selectFrom("LearningBatch").select("id").execute()).length;
      // Families that were divided meanwhile share grades in parts of one.
      const missing = onRecord.map((count, at) => Math.round(count - (learned[at] ?? 0)) || 0);
      return { waiting, orphans, missing };
    };
    await expect.poll(settled, { timeout: 120_000 }).toEqual({ waiting: 0, orphans: 0, missing: [0, 0] });
    expect(Math.min(...(await counts()).recorded)).toBeGreaterThan(0);
    const rows = await recorded();
    const tried = rows.filter(({ kind }) => kind === "trial").map(({ inferenceId }) => inferenceId);
    expect(new Set(tried).size).toBe(tried.length);
    const triedAt = calledAt.map((ids) => tried.filter((id) => ids.includes(id)).length);
    expect(Math.min(...triedAt)).toBeGreaterThan(0);
    // What was set aside for calls that were cut off stays spent: never less than what is on record.
    const days = await store.query().selectFrom("ShadowDay").select("spentNanos").execute();
    const [spent, bill] = [
      days.reduce((sum, { spentNanos }) => sum + spentNanos, 0),
      rows.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0),
    ];
    report(
      `trials of ${replicas} on ${engine}, ${KILLS} kills: ${rows.length} on record for ${bill / 1e9} USD, ` +
        `${spent / 1e9} of ${nanosOfDay / 1e9} USD spent, trials by replica at the end ${triedAt.join(", ")}`,
    );
    expect(spent).toBeGreaterThanOrEqual(bill);
    for (const { spentNanos } of days) expect(spentNanos).toBeLessThanOrEqual(nanosOfDay);
    expect(Math.max(...days.map(({ spentNanos }) => spentNanos))).toBeGreaterThan(
      nanosOfDay - replicas * MOST_SET_ASIDE,
    );
    await Promise.all(served.map((one) => one.kill()));
  });
});
