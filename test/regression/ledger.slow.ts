import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { newId } from "../../src/lib/ids.ts";
import { splitIntoChunks } from "../../src/lib/split-into-chunks.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import {
  type MeteredUpstream,
  type Script,
  scriptedPrompt,
  startMeteredUpstream,
} from "../support/metered-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Bursts against one budget, one after another: LEDGER_ROUNDS=20 by hand. LEDGER_WRITE=1 writes the table of docs/notes/costs.md. */
const ROUNDS = Number(process.env["LEDGER_ROUNDS"] ?? 1);
/** Nano-USD a token. */
const [INPUT, OUTPUT] = [10_000, 20_000];
/** Tokens that an estimate of unseen output may be off by: what is made within a quarter of a second. */
const SLACK_TOKENS = 25;
/** The page that has the table. */
const PAGE = join(import.meta.dirname, "..", "..", "docs", "notes", "costs.md");
const HEADING =
  "| how it ends | upstream calls | upstream counted | on record | off the budget |\n| --- | --- | --- | --- | --- |\n";

const yaml = (url: string): string => `
routing: { hedgingShare: 1 }
upstreams:
  first: { kind: openai-chat, baseUrl: "${url}/first", apiKey: a-key }
  patient: { kind: openai-chat, baseUrl: "${url}/patient", apiKey: a-key }
  hasty: { kind: openai-chat, baseUrl: "${url}/hasty", apiKey: a-key, timeouts: { firstByteMs: 400 } }
  worn: { kind: openai-chat, baseUrl: "${url}/worn", apiKey: a-key }
  restarts: { kind: openai-chat, baseUrl: "${url}/worn", apiKey: a-key }
  idle: { kind: openai-chat, baseUrl: "${url}/idle", apiKey: a-key, timeouts: { idleMs: 400 } }
models:${[
  ["plain", "patient"],
  ["idle", "idle"],
  ["worn", "worn"],
  // Connections of its own: the pool gives what one way broke to the other else, as a new one.
  ["restarts", "restarts"],
  ["fails", "hasty, patient"],
  ["checked", "patient", "checkedRetry: on"],
  ["hedged", "first, patient"],
  ["kept", "patient", "responseCache: { ttlSeconds: 600 }"],
]
  .map(
    ([name, places = "", optimization = ""]) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 8192
    price: { input: 10, output: 20, cacheRead: 10, cacheWrite5m: 10, cacheWrite1h: 10 }
    candidates: { max: 3 }
    optimizations: { choice: false, ${optimization} }
    deployments: [${places
      .split(", ")
      .map((upstream) => `{ upstream: ${upstream}, model: m }`)
      .join(", ")}]`,
  )
  .join("")}
  - name: embed
    embeddings: true
    family: chat
    contextWindow: 200000
    maxOutputTokens: 1
    price: { input: 10, output: 0 }
    deployments: [{ upstream: patient, model: m }]
`;

/** One way to end a call. */
interface Way {
  readonly name: string;
  readonly model?: string;
  /** Asks for an embedding of its prompt. */
  readonly embeds?: boolean;
  readonly idle?: Script;
  readonly worn?: Script;
  readonly patient?: Script;
  readonly hasty?: Script;
  readonly first?: Script;
  readonly members?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** When its caller leaves, after the upstream was asked. */
  readonly leavesMs?: number;
  /** How often the same request is sent: at once, or one after the other. */
  readonly times?: number;
  readonly inTurn?: boolean;
  /** Asks by another door than Chat. */
  readonly over?: keyof typeof DOORS | "socket";
  /** Asks for a response in the background; with a time it is canceled so long after the upstream was asked. */
  readonly background?: { readonly canceledMs?: number };
}

/** The doors beside Chat: their paths, and a prompt as each takes it. */
const DOORS = {
  messages: {
    path: "/v1/messages",
    body: (model: string, content: string) => ({ model, max_tokens: 2000, messages: [{ role: "user", content }] }),
  },
  rpc: {
    path: "/attune.inference.v1.InferenceService/Generate",
    body: (model: string, text: string) => ({
      input: { model, messages: [{ role: "ROLE_USER", content: [{ text: { text } }] }], maxOutputTokens: 2000 },
    }),
  },
  compaction: {
    path: "/v1/responses/compact",
    body: (model: string, input: string) => ({ model, input }),
  },
} as const;

const streamed = { stream: true };
const WAYS: readonly Way[] = [
  { name: "answered" },
  { name: "answered, streamed", members: streamed },
  { name: "reasons unseen, then answered", patient: { hiddenMs: 700 }, members: streamed },
  { name: "left before anything came", patient: { hiddenMs: 5000 }, leavesMs: 300 },
  { name: "left before anything came, streamed", patient: { hiddenMs: 5000 }, leavesMs: 300, members: streamed },
  {
    name: "left after a first event without text",
    patient: { hiddenMs: 5000, begins: true },
    leavesMs: 300,
    members: streamed,
  },
  { name: "left during long reasoning", patient: { hiddenMs: 5000 }, leavesMs: 1500, members: streamed },
  { name: "left in the text", patient: { says: 400 }, leavesMs: 400, members: streamed },
  { name: "ran into `timeouts.firstByteMs`, failed over", model: "fails", hasty: { hiddenMs: 5000 } },
  {
    name: "ran into `timeouts.firstByteMs`, left after that",
    model: "fails",
    hasty: { hiddenMs: 5000 },
    patient: { hiddenMs: 5000 },
    leavesMs: 1000,
  },
  { name: "lost its connection, failed over", model: "fails", hasty: { hiddenMs: 250, ends: "reset" } },
  { name: "broke off in the text", patient: { says: 200, ends: "cut" }, members: streamed },
  { name: "broke off in the middle, not streamed", patient: { hiddenMs: 250, ends: "cut" } },
  { name: "ends with what isn't JSON", patient: { hiddenMs: 250, ends: "garbled" } },
  { name: "ends with what isn't JSON, streamed", patient: { says: 200, ends: "garbled" }, members: streamed },
  {
    name: "sent once more, as a connection died that was used before",
    model: "worn",
    worn: { hiddenMs: 250, ends: "worn" },
    times: 2,
    inTurn: true,
  },
  {
    name: "sent once more, and refused then",
    model: "restarts",
    worn: { hiddenMs: 250, ends: "restarts" },
    times: 2,
    inTurn: true,
  },
  {
    name: "silent in the text for longer than `timeouts.idleMs`",
    model: "idle",
    idle: { says: 200, ends: "stalled" },
    members: streamed,
  },
  { name: "refused by an upstream, failed over", model: "fails", hasty: { ends: "refused" } },
  { name: "the best of two", headers: { "attune-candidates": "2" } },
  { name: "the best of two, left", patient: { hiddenMs: 5000 }, headers: { "attune-candidates": "2" }, leavesMs: 500 },
  { name: "two choices", members: { n: 2 } },
  { name: "checked, and asked again", model: "checked", members: { response_format: { type: "json_object" } } },
  { name: "shared by four callers", times: 4, patient: { hiddenMs: 300 }, members: { temperature: 0 } },
  { name: "hedged, where the first place is slow", model: "hedged", first: { hiddenMs: 5000 }, members: streamed },
  { name: "twice more from the response cache", model: "kept", times: 3, inTurn: true, members: { temperature: 0 } },
  { name: "in the background", background: {} },
  { name: "in the background, canceled", patient: { hiddenMs: 5000 }, background: { canceledMs: 600 } },
  { name: "left before anything came, by Messages", patient: { hiddenMs: 5000 }, leavesMs: 300, over: "messages" },
  { name: "left before anything came, by RPC", patient: { hiddenMs: 5000 }, leavesMs: 300, over: "rpc" },
  { name: "left before anything came, on a WebSocket", patient: { hiddenMs: 5000 }, leavesMs: 300, over: "socket" },
  { name: "left during a compaction", patient: { hiddenMs: 5000 }, leavesMs: 300, over: "compaction" },
  { name: "one idempotency key, four times", times: 4, headers: { "idempotency-key": "KEY" } },
  { name: "a caller's own time limit", patient: { hiddenMs: 5000 }, headers: { "x-request-timeout": "500ms" } },
  { name: "embeddings", model: "embed", embeds: true },
  { name: "embeddings, left", model: "embed", embeds: true, patient: { hiddenMs: 5000 }, leavesMs: 200 },
];

/** Ways that take long enough for the clock to be set meanwhile. */
const STEPPED: ReadonlySet<string> = new Set([
  ...["reasons unseen, then answered", "left during long reasoning", "left in the text"],
  "ran into `timeouts.firstByteMs`, left after that",
  ...["the best of two, left", "a caller's own time limit"],
]);

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
  let databaseUrl = "";
  /** The upstream stands in this process: it sees late that somebody left where the machine has other things to do. */
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const slackTokens = () => SLACK_TOKENS + (delays.max / 1e9) * 80;

  beforeAll(async () => {
    upstream = await startMeteredUpstream();
    databaseUrl = databases.newUrl();
    services = [await startTestService({ yaml: yaml(upstream.url), databaseUrl })];
    // Two processes on one database: on SQLite they share a file, which slows down what the table tells.
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
    const {
      model = "plain",
      patient = {},
      hasty = {},
      first = {},
      idle = {},
      worn = {},
      embeds = false,
      members = {},
      headers = {},
      leavesMs,
      id,
    } = way;
    const service = services[at % services.length];
    const content = await scriptedPrompt(id, { patient, hasty, first, idle, worn });
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", id)]));
    const leaving = new AbortController();
    const { signal } = leaving;
    if (leavesMs !== undefined) void leaveOnceAsked(id, leavesMs, leaving);
    if (way.background !== undefined) return await inBackground(key, { way, content, url: service?.url ?? "" });
    if (way.over === "socket") return await onSocket(key, { model, content, signal, url: service?.url ?? "" });
    try {
      if (way.over !== undefined) {
        const { path, body } = DOORS[way.over];
        return await fetch(`${service?.url}${path}`, {
          method: "POST",
          signal,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(body(model, content)),
        });
      }
      const chat = { model, max_tokens: 2000, messages: [{ role: "user", content }], ...members };
      const response = await fetch(`${service?.url}/v1/${embeds ? "embeddings" : "chat/completions"}`, {
        method: "POST",
        signal,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...own },
        body: JSON.stringify(embeds ? { model, input: content } : chat),
      });
      await response.text();
      return response;
    } catch {
      return undefined;
    }
  }

  /** Asks for a response on a WebSocket, and closes it on a signal. */
  async function onSocket(
    key: string,
    { model, content, signal, url }: Record<"model" | "content" | "url", string> & { readonly signal: AbortSignal },
  ): Promise<undefined> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "response.create", model, input: content, max_output_tokens: 2000 }));
    await once(signal, "abort");
    socket.close();
    await once(socket, "close");
  }

  /** Has a response made in the background, which goes on without a caller. */
  async function inBackground(
    key: string,
    {
      way,
      content,
      url,
    }: { readonly way: Way & { readonly id: string }; readonly content: string; readonly url: string },
  ): Promise<undefined> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const post = async (path: string, body: object) => {
      const response = await fetch(`${url}/v1/responses${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return (await response.json()) as { id: string; status: string };
    };
    const asked = { model: "plain", input: content, background: true, max_output_tokens: 2000 };
    const { id } = await post("", asked);
    const { canceledMs } = way.background ?? {};
    if (canceledMs !== undefined) {
      const leaving = new AbortController();
      await leaveOnceAsked(way.id, canceledMs, leaving);
      await post(`/${id}/cancel`, {});
    }
    const state = async () =>
      ((await (await fetch(`${url}/v1/responses/${id}`, { headers })).json()) as { status: string }).status;
    await expect.poll(state, { timeout: 20_000 }).toBe(canceledMs === undefined ? "completed" : "cancelled");
  }

  /** Sends the same request several times; one after the other only once what was said before is on record. */
  async function sendAll(key: string, way: Way & { readonly id: string }): Promise<void> {
    const { times = 1, inTurn = false } = way;
    if (!inTurn) return void (await Promise.all(Array.from({ length: times }, () => send(key, { way }))));
    for (let time = 0; time < times; time += 1) {
      await send(key, { way });
      for (const service of services) await service.flush();
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

  /** Has the first place of hedged streams known as quick, so that a slow one is noticed. */
  async function warmUp(): Promise<void> {
    const { key } = await newKey("warm up", 1);
    const way = {
      name: "warm up",
      id: newId(),
      model: "hedged",
      members: streamed,
      patient: { says: 1 },
      first: { says: 1 },
    };
    for (let call = 0; call < 50; call += 1) await send(key, { way });
  }

  /** Makes the calls of a way with a key of its own, and tells what each side says of them. */
  async function weigh(way: Way): Promise<Balance> {
    const id = newId();
    const { key, id: keyId } = await newKey(way.name, 1);
    await sendAll(key, { ...way, id });
    const times = way.headers?.["idempotency-key"] === undefined ? (way.times ?? 1) : 1;
    const recorded = await recordedOf(keyId, times);
    const calls = upstream.calls.filter((call) => call.way === id).length;
    return { way: way.name, calls, counted: nanosOf(upstream, id), recorded, budget: await budgetOf(key) };
  }

  it("has no less on record than the upstream counted, however a call ends", { timeout: 240_000 }, async () => {
    await warmUp();
    delays.reset();
    const balances: Balance[] = [];
    // A few at a time: what the process does for others is in nobody's time then.
    for (const some of splitIntoChunks(WAYS, 6)) balances.push(...(await Promise.all(some.map(weigh))));
    const slack = slackTokens() * OUTPUT;
    const wrong = balances.filter(({ calls, counted, recorded }) => recorded < 0.98 * counted - calls * slack);
    expect(wrong).toEqual([]);
    expect(balances.filter(({ recorded, budget }) => Math.abs(budget - recorded) > 2000)).toEqual([]);
    // Nor far more: what nobody saw is estimated, not all that a call might have taken.
    const dear = balances.filter(({ calls, counted, recorded }) => recorded > 1.1 * counted + calls * 2.5 * slack);
    expect(dear).toEqual([]);
    expect(balances.every(({ counted }) => counted > 0)).toBe(true);
    const page = readFileSync(PAGE, "utf8");
    const [before = "", after = ""] = page.split(HEADING);
    const [told = ""] = after.split("\n\n", 1);
    if (process.env["LEDGER_WRITE"] !== undefined) {
      const lines = balances.map(lineOf).join("\n");
      writeFileSync(PAGE, before + HEADING + lines + after.slice(told.length));
      return;
    }
    // The page tells another day's figures of the same ways, when the upstream may have said more or less meanwhile.
    const toldOf = new Map(told.split("\n").map((line) => [line.split(" | ")[0]?.slice(2), line.split(" | ")]));
    expect([...toldOf.keys()]).toEqual(WAYS.map(({ name }) => name));
    for (const { way, calls, counted, recorded } of balances) {
      const [, toldCalls, toldCounted, toldRecord] = toldOf.get(way) ?? [];
      const apart = Math.abs(Number(toldRecord) * 1e9 - recorded) - Math.abs(Number(toldCounted) * 1e9 - counted);
      expect([way, toldCalls, apart < 0.15 * recorded + calls * 3 * slack]).toEqual([way, String(calls), true]);
    }
  });

  it.each([
    ["an hour back", -3_600_000],
    ["a second on", 1000],
    ["a day on", 86_400_000],
  ])("counts the same where the clock goes %s meanwhile", { timeout: 60_000 }, async (_name, stepMs) => {
    const ways = WAYS.filter(({ name }) => STEPPED.has(name));
    const balances = await Promise.all(
      ways.map(async (way) => {
        const id = newId();
        const { key, id: keyId } = await newKey(`${way.name} ${stepMs}`, 1);
        const sent = sendAll(key, { ...way, id });
        await leaveOnceAsked(id, 150, new AbortController());
        return { way: { ...way, id }, keyId, sent };
      }),
    );
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs });
    try {
      // The clock of the system goes on from there.
      const moving = setInterval(() => vi.setSystemTime(Date.now() + 20), 20);
      await Promise.all(balances.map(({ sent }) => sent));
      clearInterval(moving);
    } finally {
      vi.useRealTimers();
    }
    const records = await Promise.all(balances.map(({ keyId }) => recordedOf(keyId, 1)));
    for (const [at, { way }] of balances.entries()) {
      const recorded = records[at] ?? 0;
      const counted = nanosOf(upstream, way.id);
      expect([way.name, recorded >= 0.98 * counted - 2 * slackTokens() * OUTPUT]).toEqual([way.name, true]);
      expect([way.name, recorded <= 1.1 * counted + 5 * slackTokens() * OUTPUT]).toEqual([way.name, true]);
    }
  });

  it("passes no budget by more than calls under way may take, in bursts of 64 by two services", {
    timeout: 60_000,
  }, async () => {
    const way: Way = {
      name: "burst",
      patient: { hiddenMs: 900, says: 300 },
      members: { ...streamed, max_tokens: 2000 },
    };
    if (engine === "sqlite") services.push(await startTestService({ yaml: yaml(upstream.url), databaseUrl }));
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
    expect(recorded).toBeGreaterThanOrEqual(0.98 * counted - asked * slackTokens() * OUTPUT);
    expect(counted).toBeGreaterThan(0.2 * usd * 1e9);
    expect(counted).toBeLessThanOrEqual(usd * 1e9);
  });
});

function nanosOf({ calls }: MeteredUpstream, way: string): number {
  const own = calls.filter((call) => call.way === way);
  return own.reduce((total, { input, output }) => total + input * INPUT + output * OUTPUT, 0);
}

/** Returns the line of a way in the table. */
function lineOf({ way, calls, counted, recorded, budget }: Balance): string {
  const amounts = [counted, recorded, budget].map((nanos) => (nanos / 1e9).toFixed(5));
  return `| ${[way, calls, ...amounts].join(" | ")} |`;
}
