import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { childrenOf } from "../support/children.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import {
  type MeteredUpstream,
  type Script,
  scriptedPrompt,
  startMeteredUpstream,
} from "../support/metered-upstream.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { endLeasesOfDead } from "./end-leases.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

/** Nano-USD a token. */
const [INPUT, OUTPUT] = [10_000, 20_000];
const NANOS = 1e9;
const CALLERS = 64;
const MAX_TOKENS = 500;
/** The most that a call takes: two attempts of a prompt of 400 tokens, each with all that it may say. */
const BOUND = 2 * (420 * INPUT + MAX_TOKENS * OUTPUT);
/** Tokens that an estimate may be off by: what is made within a quarter of a second. */
const SLACK_TOKENS = 25;
const BUDGET_USD = 3;
const KILLS = 2;
/** Refusals in a row after which a caller believes that the budget is spent, 100 ms apart. */
const ENOUGH = 15;

const yaml = (url: string): string => `
routing: { hedgingShare: 1 }
upstreams:
  first: { kind: openai-chat, baseUrl: "${url}/first", apiKey: a-key }
  second: { kind: openai-chat, baseUrl: "${url}/second", apiKey: a-key }
models:${["plain", "checked"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 8192
    price: { input: 10, output: 20, cacheRead: 10, cacheWrite5m: 10, cacheWrite1h: 10 }
    candidates: { max: 2 }
    optimizations: { choice: false${name === "checked" ? ", checkedRetry: on" : ""} }
    deployments: [{ upstream: first, model: m }, { upstream: second, model: m }]`,
  )
  .join("")}
`;

/** A way to call. */
interface Way {
  readonly script?: Script;
  readonly model?: string;
  readonly members?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its caller leaves at some time before. */
  readonly leavesMs?: number;
}

const WAYS: readonly Way[] = [
  { script: { hiddenMs: 100 } },
  { script: { says: 100 }, members: { stream: true } },
  { script: { hiddenMs: 900 }, members: { stream: true }, leavesMs: 800 },
  { script: { says: 200 }, members: { stream: true }, leavesMs: 400 },
  { script: { hiddenMs: 300 }, headers: { "attune-candidates": "2" } },
  { script: { hiddenMs: 300, ends: "reset" } },
  { script: { hiddenMs: 500 }, model: "checked", members: { response_format: { type: "json_object" } } },
  { script: { says: 100, ends: "cut" }, members: { stream: true } },
];

describe.each(ENGINES)("the ledger of two processes on %s", (engine) => {
  const databases = useDatabases(engine);
  const folders: CliFolder[] = [];
  const agent = new Agent({ connections: 2 * CALLERS });
  let upstream: MeteredUpstream;
  let store: Store;
  let url = "";
  let clock = "";
  let served: Served[] = [];

  beforeAll(async () => {
    upstream = await startMeteredUpstream();
    url = await databases.newMigratedUrl();
    store = await openStore(url);
    clock = join(createFolder().path, "clock");
    setClock(0);
    // A file is of one service: its processes are two workers of that.
    const replicas = engine === "sqlite" ? 1 : 2;
    while (served.length < replicas) served.push(await start(createFolder()));
  });
  afterAll(async () => {
    await Promise.all(served.map((one) => one.kill()));
    await agent.destroy();
    for (const folder of folders) await folder.remove();
    await store.close();
    upstream.close();
  });

  function createFolder(): CliFolder {
    const folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), yaml(upstream.url));
    folders.push(folder);
    return folder;
  }

  const start = (folder: CliFolder): Promise<Served> =>
    startServed(folder, {
      ATTUNE_DATABASE_URL: url,
      ATTUNE_WORKERS: engine === "sqlite" ? "2" : "1",
      TEST_CLOCK_FILE: clock,
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "..", "support", "shifted-clock.ts"))}`,
    });

  function setClock(shiftMs: number): void {
    writeFileSync(`${clock}.new`, String(shiftMs));
    renameSync(`${clock}.new`, clock);
  }

  async function newKey(name: string, usd: number): Promise<{ readonly key: string; readonly id: string }> {
    const { key, info } = await createKey(store, { name, quota: { costNanosTotal: usd * NANOS } });
    return { key, id: info.publicId };
  }

  /** Calls once; returns the status, or undefined where no answer came. */
  async function callOnce(at: string, key: string, { way, id }: { readonly way: Way; readonly id: string }) {
    const { script = {}, model = "plain", members = {}, headers = {}, leavesMs } = way;
    // The second place answers what the first one lost.
    const content = await scriptedPrompt(id, { first: script, second: script.ends === "reset" ? {} : script });
    const signal = leavesMs === undefined ? undefined : AbortSignal.timeout(Math.ceil(Math.random() * leavesMs));
    try {
      const {
        statusCode,
        body,
        headers: answered,
      } = await request(`${at}/v1/chat/completions`, {
        method: "POST",
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({ model, max_tokens: MAX_TOKENS, messages: [{ role: "user", content }], ...members }),
        ...(signal && { signal }),
      });
      await body.text();
      return { status: statusCode, remaining: Number(answered["attune-budget-remaining-usd"]) };
    } catch {
      return undefined;
    }
  }

  /** Calls in all ways until each caller finds the budget spent. */
  async function callAll(key: string, id: string): Promise<void> {
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let [turn, inRow] = [0, 0]; inRow < ENOUGH; turn += 1) {
        const at = served[caller % served.length]?.url ?? "";
        const way = WAYS[(caller + turn) % WAYS.length] ?? {};
        const answer = await callOnce(at, key, { way, id });
        if (answer?.status === 200) inRow = 0;
        // A process that is gone, or a caller who left, says nothing of the budget.
        if (answer?.status === 429) inRow += 1;
        if (answer === undefined || answer.status === 429) await delay(100);
      }
    });
    await Promise.all(callers);
  }

  /** Waits until both processes serve: a worker begins once the first one serves. */
  async function bothServe(): Promise<void> {
    if (engine !== "sqlite") return;
    const workers = async () => (await served[0]?.metric("attune_workers").catch(() => 0)) ?? 0;
    await expect.poll(workers, { timeout: 120_000, interval: 200 }).toBe(2);
  }

  async function killOne(): Promise<void> {
    await bothServe();
    if (engine === "sqlite") {
      const [worker = 0] = childrenOf(served[0]?.cli.process.pid ?? 0);
      return void process.kill(worker, "SIGKILL");
    }
    await served[1]?.kill();
    served = [...served.slice(0, 1), await start(folders.at(-1) ?? createFolder())];
  }

  const nanosOf = (id: string) => {
    const own = upstream.calls.filter(({ way }) => way === id);
    const counted = own.reduce((sum, { input, output }) => sum + input * INPUT + output * OUTPUT, 0);
    return { counted, slack: own.length * SLACK_TOKENS * OUTPUT, calls: own.length };
  };

  /** Returns what is on record of a key once nothing more is added for two seconds. */
  async function recordedOf(keyId: string): Promise<number> {
    const rows = () => store.query().selectFrom("Inference").select("costNanos").where("keyId", "=", keyId).execute();
    for (let known = -1; ; await delay(2000)) {
      const found = await rows();
      if (found.length === known) return found.reduce((sum, { costNanos }) => sum + Number(costNanos ?? 0), 0);
      known = found.length;
    }
  }

  it("has on record what the upstream counted, while the clock is set", async () => {
    const { key, id: keyId } = await newKey("clock", BUDGET_USD);
    const id = newId();
    const calling = callAll(key, id);
    for (const shiftMs of [86_400_000, -3_600_000, 1000, 0]) {
      await delay(1000);
      setClock(shiftMs);
    }
    await calling;
    const recorded = await recordedOf(keyId);
    const { counted, slack, calls } = nanosOf(id);
    report(`clock on ${engine}: ${calls} calls, counted ${counted / NANOS}, on record ${recorded / NANOS} USD`);
    expect(recorded).toBeGreaterThanOrEqual(0.98 * counted - slack);
    expect(recorded).toBeLessThanOrEqual(1.1 * counted + slack);
    expect(counted).toBeLessThanOrEqual(BUDGET_USD * NANOS + CALLERS * BOUND);
    expect(counted).toBeGreaterThan(0.7 * BUDGET_USD * NANOS);
  });

  it(`takes off a budget what the upstream counted, in ${KILLS} kills`, async () => {
    const { key, id: keyId } = await newKey("kills", BUDGET_USD);
    const id = newId();
    const calling = callAll(key, id);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = (kill * BUDGET_USD * NANOS) / (2 * KILLS);
      await expect.poll(() => nanosOf(id).counted, { timeout: 120_000, interval: 20 }).toBeGreaterThan(enough / 2);
      await killOne();
    }
    await calling;
    await endLeasesOfDead(url);
    await callAll(key, id);
    const recorded = await recordedOf(keyId);
    const { counted, slack, calls } = nanosOf(id);
    report(`kills on ${engine}: ${calls} calls, counted ${counted / NANOS}, on record ${recorded / NANOS} USD`);
    // Calls that died with their process are on no record, but off the budget.
    expect(counted).toBeLessThanOrEqual(BUDGET_USD * NANOS + slack + CALLERS * BOUND);
    expect(recorded).toBeGreaterThanOrEqual(0.98 * counted - slack - KILLS * CALLERS * BOUND);
    // What these had reserved stays spent: by half of the callers, for each kill.
    expect(counted).toBeGreaterThan(BUDGET_USD * NANOS - KILLS * (CALLERS / 2) * BOUND - slack);
  });
});
