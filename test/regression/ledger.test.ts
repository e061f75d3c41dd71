import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import {
  type MeteredUpstream,
  type Script,
  scriptedPrompt,
  startMeteredUpstream,
} from "../support/metered-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Bursts against one budget, one after another: LEDGER_ROUNDS=20 by hand. LEDGER_TABLE=FILE writes what docs/cost.md has. */
const ROUNDS = Number(process.env["LEDGER_ROUNDS"] ?? 1);
/** Nano-USD a token. */
const [INPUT, OUTPUT] = [10_000, 20_000];
/** Tokens that an estimate of unseen output may be off by: what is made within a quarter of a second. */
const SLACK_TOKENS = 25;

const yaml = (url: string): string => `
upstreams:
  patient: { kind: openai-chat, baseUrl: "${url}/patient", apiKey: a-key }
  hasty: { kind: openai-chat, baseUrl: "${url}/hasty", apiKey: a-key, timeouts: { firstByteMs: 400 } }
models:${[
  ["plain", "patient"],
  ["fails", "hasty, patient"],
  ["checked", "patient"],
]
  .map(
    ([name, places = ""]) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 8192
    price: { input: 10, output: 20, cacheRead: 10, cacheWrite5m: 10, cacheWrite1h: 10 }
    candidates: { max: 3 }
    optimizations: { choice: false, ${name === "checked" ? "checkedRetry: on" : ""} }
    deployments: [${places
      .split(", ")
      .map((upstream) => `{ upstream: ${upstream}, model: m }`)
      .join(", ")}]`,
  )
  .join("")}
`;

/** One way to end a call. */
interface Way {
  readonly name: string;
  readonly model?: string;
  readonly patient?: Script;
  readonly hasty?: Script;
  readonly members?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** When its caller leaves, after the upstream was asked. */
  readonly leavesMs?: number;
  /** How often the same request is sent at once. */
  readonly times?: number;
}

const streamed = { stream: true };
const WAYS: readonly Way[] = [
  { name: "answered" },
  { name: "answered, streamed", members: streamed },
  { name: "reasons unseen, answered", patient: { hiddenMs: 700 }, members: streamed },
  { name: "left before anything came", patient: { hiddenMs: 5000 }, leavesMs: 300 },
  { name: "left before anything came, streamed", patient: { hiddenMs: 5000 }, leavesMs: 300, members: streamed },
  { name: "left after an empty event", patient: { hiddenMs: 5000, begins: true }, leavesMs: 300, members: streamed },
  { name: "left during long reasoning", patient: { hiddenMs: 5000 }, leavesMs: 1500, members: streamed },
  { name: "left in the text", patient: { says: 400 }, leavesMs: 400, members: streamed },
  { name: "ran into firstByteMs, failed over", model: "fails", hasty: { hiddenMs: 5000 } },
  {
    name: "ran into firstByteMs, left",
    model: "fails",
    hasty: { hiddenMs: 5000 },
    patient: { hiddenMs: 5000 },
    leavesMs: 1000,
  },
  { name: "lost its connection, failed over", model: "fails", hasty: { hiddenMs: 250, ends: "reset" } },
  { name: "refused by its upstream, failed over", model: "fails", hasty: { ends: "refused" } },
  { name: "the best of two", headers: { "attune-candidates": "2" } },
  { name: "the best of two, left", patient: { hiddenMs: 5000 }, headers: { "attune-candidates": "2" }, leavesMs: 500 },
  { name: "two choices", members: { n: 2 } },
  { name: "checked, asked again", model: "checked", members: { response_format: { type: "json_object" } } },
  { name: "shared by four", times: 4, patient: { hiddenMs: 300 }, members: { temperature: 0 } },
  { name: "one idempotency key, four times", times: 4, headers: { "idempotency-key": "KEY" } },
  { name: "a caller's own time limit", patient: { hiddenMs: 5000 }, headers: { "x-request-timeout": "500ms" } },
];

/** What the rows of a way say. */
interface Balance {
  readonly way: string;
  readonly calls: number;
  readonly counted: number;
  readonly recorded: number;
  /** What the budget of its key has less. */
  readonly budget: number;
}

describe.each(ENGINES)("the ledger of a service on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: MeteredUpstream;
  let services: TestService[] = [];

  beforeAll(async () => {
    upstream = await startMeteredUpstream();
    const databaseUrl = databases.newUrl();
    services = [await startTestService({ yaml: yaml(upstream.url), databaseUrl })];
    // Two processes on one database: on SQLite they would share a file, which slows tests down.
    if (engine === "postgres") services.push(await startTestService({ yaml: yaml(upstream.url), databaseUrl }));
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    upstream.close();
  });

  async function newKey(name: string, usd: number): Promise<{ readonly key: string; readonly id: string }> {
    const { key, info } = await createKey(store(), { name, quota: { costNanosTotal: usd * 1e9 } });
    return { key, id: info.publicId };
  }

  const store = () => {
    const [first] = services;
    if (first === undefined) throw new Error("no service has started");
    return first.store;
  };

  async function send(
    key: string,
    { way, at = 0 }: { readonly way: Way & { readonly id: string }; readonly at?: number },
  ) {
    const { model = "plain", patient = {}, hasty = {}, members = {}, headers = {}, leavesMs, id } = way;
    const service = services[at % services.length];
    const content = await scriptedPrompt(id, { patient, hasty });
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", id)]));
    const leaving = new AbortController();
    const { signal } = leaving;
    if (leavesMs !== undefined) void leaveOnceAsked(id, leavesMs, leaving);
    try {
      const response = await fetch(`${service?.url}/v1/chat/completions`, {
        ...{ method: "POST", signal },
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...own },
        body: JSON.stringify({ model, max_tokens: 2000, messages: [{ role: "user", content }], ...members }),
      });
      await response.text();
      return response;
    } catch {
      return undefined;
    }
  }

  async function leaveOnceAsked(id: string, leavesMs: number, leaving: AbortController): Promise<void> {
    await expect.poll(() => upstream.calls.some(({ way }) => way === id), { timeout: 20_000, interval: 5 }).toBe(true);
    await delay(leavesMs);
    leaving.abort();
  }

  /** Returns what is on record of a key once nothing more is added for a second. */
  async function recordedOf(keyId: string, calls: number): Promise<number> {
    const rows = () => store().query().selectFrom("Inference").select("costNanos").where("keyId", "=", keyId).execute();
    await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(calls);
    for (let known = -1; ; await delay(1000)) {
      const found = await rows();
      if (found.length === known) return found.reduce((total, { costNanos }) => total + Number(costNanos ?? 0), 0);
      known = found.length;
    }
  }

  /** Returns what is spent of a budget of 1 USD: what one more call is told, less than with a key that made none. */
  async function budgetOf(key: string): Promise<number> {
    const way = { name: "after", id: newId(), patient: { says: 1 }, members: { max_tokens: 1 } };
    const unused = await newKey("unused", 1);
    const [fresh, remaining] = await Promise.all([unused.key, key].map((each) => remainingOf(each, way)));
    return Math.round(Number(fresh) - Number(remaining));
  }

  async function remainingOf(key: string, way: Way & { readonly id: string }): Promise<number> {
    const response = await send(key, { way });
    return Number(response?.headers.get("attune-budget-remaining-usd")) * 1e9;
  }

  it("has no less on record than the upstream counted, however a call ends", { timeout: 60_000 }, async () => {
    const balances: Balance[] = await Promise.all(
      WAYS.map(async (way) => {
        const id = newId();
        const { key, id: keyId } = await newKey(way.name, 1);
        const times = way.times ?? 1;
        await Promise.all(Array.from({ length: times }, () => send(key, { way: { ...way, id } })));
        const recorded = await recordedOf(keyId, way.headers?.["idempotency-key"] === undefined ? times : 1);
        const calls = upstream.calls.filter((call) => call.way === id).length;
        return { way: way.name, calls, counted: nanosOf(upstream, id), recorded, budget: await budgetOf(key) };
      }),
    );
    const wrong = balances.filter(
      ({ calls, counted, recorded }) => recorded < 0.98 * counted - calls * SLACK_TOKENS * OUTPUT,
    );
    expect(wrong).toEqual([]);
    expect(balances.filter(({ recorded, budget }) => Math.abs(budget - recorded) > 2000)).toEqual([]);
    // Nor far more: what nobody saw is estimated, not all that a call might have taken.
    const dear = balances.filter(({ calls, counted, recorded }) => recorded > 1.1 * counted + calls * 60 * OUTPUT);
    expect(dear).toEqual([]);
    expect(balances.every(({ counted }) => counted > 0)).toBe(true);
    if (process.env["LEDGER_TABLE"] !== undefined)
      writeFileSync(process.env["LEDGER_TABLE"], JSON.stringify(balances, null, 2));
  });

  it("passes no budget by more than calls under way may take, in bursts of 64", { timeout: 60_000 }, async () => {
    const way: Way = {
      name: "burst",
      patient: { hiddenMs: 900, says: 300 },
      members: { ...streamed, max_tokens: 2000 },
    };
    const id = newId();
    const usd = 0.5;
    const { key, id: keyId } = await newKey("burst", usd);
    for (let round = 0; round < ROUNDS; round++) {
      const leaves = (at: number) => (at % 4 === 0 ? { leavesMs: 100 + ((at * 37) % 900) } : {});
      await Promise.all(Array.from({ length: 64 }, (_, at) => send(key, { way: { ...way, ...leaves(at), id }, at })));
    }
    const counted = nanosOf(upstream, id);
    const asked = upstream.calls.filter((call) => call.way === id).length;
    const recorded = await recordedOf(keyId, asked);
    expect(recorded).toBeGreaterThanOrEqual(0.98 * counted - asked * SLACK_TOKENS * OUTPUT);
    expect(counted).toBeGreaterThan(0.2 * usd * 1e9);
    expect(counted).toBeLessThanOrEqual(usd * 1e9);
  });
});

function nanosOf({ calls }: MeteredUpstream, way: string): number {
  const own = calls.filter((call) => call.way === way);
  return own.reduce((total, { input, output }) => total + input * INPUT + output * OUTPUT, 0);
}
