import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentFormat, agentSession } from "../support/agent-session.ts";
import { PlayedCache, type PlayedUse } from "../support/played-cache.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** An agent's session of 30 requests, at an upstream that plays the cache of the Messages API. */
const TURNS = 30;
const FORMATS: readonly AgentFormat[] = ["chat", "responses", "messages"];
const PATH: Readonly<Record<AgentFormat, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};
const OFF = { "attune-optimize": "off" };

let upstream: ScriptedUpstream;
let service: TestService;
/** What each request used of the cache since the last session began. */
let uses: PlayedUse[] = [];
let cache = new PlayedCache(1024);

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((_path, body) => {
    const use = cache.use(JSON.parse(body));
    uses.push(use);
    const usage = {
      input_tokens: use.input,
      cache_creation_input_tokens: use.written,
      cache_read_input_tokens: use.read,
      output_tokens: 1,
    };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "real", stop_sequence: null, usage };
    return wholeAnswer(
      JSON.stringify({ ...message, content: [{ type: "text", text: "Ok" }], stop_reason: "end_turn" }),
    );
  });
  service = await startTestService({ yaml: yaml(upstream.url) });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function yaml(url: string): string {
  const model = (name: string, more = ""): string => `
  - name: ${name}
    family: messages
    contextWindow: 1000000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 }
    deployments: [ { upstream: claude, model: real } ]${more}`;
  const names = FORMATS.flatMap((format) => [`${format}-on`, `${format}-off`, `${format}-asked`]);
  return `
upstreams:
  claude: { kind: anthropic-messages, baseUrl: "${url}", apiKey: k }
models:${names.map((name) => model(name)).join("")}${model("without", "\n    optimizations: { cacheMarks: false }")}
`;
}

interface Session {
  readonly format: AgentFormat;
  readonly model: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly marked?: boolean;
}

/** Plays a session; returns what it used, the bodies that the upstream received, and what was said of them. */
async function play({ format, model, headers = {}, marked = false }: Session) {
  cache = new PlayedCache(1024);
  uses = [];
  const first = upstream.received.length;
  const optimizations = new Set<string | null>();
  for (const request of agentSession(format, TURNS, marked)) {
    const response = await fetch(service.url + PATH[format], {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify({ model: `attune/${model}`, ...request }),
    });
    expect(response.status).toBe(200);
    optimizations.add(response.headers.get("attune-optimizations"));
    await response.arrayBuffer();
  }
  const sum = (of: (use: PlayedUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  const all = sum(({ input, written, read }) => input + written + read);
  return {
    readShare: sum(({ read }) => read) / all,
    /** Against what it would cost without a cache. */
    cost: sum(({ input, written, read }) => input + 1.25 * written + 0.1 * read) / all,
    bodies: upstream.received.slice(first).map(({ body }) => body),
    optimizations: [...optimizations],
  };
}

const withoutMarks = (body: string): unknown =>
  JSON.parse(body, (key, value) => (key === "cache_control" ? undefined : value));
/** A lone text may stand as a string. */
const plain = (body: string): string =>
  JSON.stringify(withoutMarks(body), (_key, value) =>
    Array.isArray(value) && value.length === 1 && value[0]?.type === "text" && Object.keys(value[0]).length === 2
      ? value[0].text
      : value,
  );

describe.each(FORMATS)("an agent that speaks %s", (format) => {
  it("has nearly all of its prompts read from the cache, for a fifth of the cost", async () => {
    const off = await play({ format, model: `${format}-off`, headers: OFF });
    expect(off).toMatchObject({ readShare: 0, cost: 1, optimizations: ["none"] });
    const on = await play({ format, model: `${format}-on` });
    expect(on.optimizations).toEqual(["cache-marks"]);
    // The figures of docs/decisions/0041-cache-marks.md.
    expect(on.readShare).toBeCloseTo(0.935, 2);
    expect(on.cost).toBeCloseTo(0.175, 2);
    // Nothing else is another request than without.
    expect(on.bodies.map(plain)).toEqual(off.bodies.map(plain));
  });
});

describe("a model whose configuration switches the marks off", () => {
  it("has none", async () => {
    const { readShare, optimizations } = await play({ format: "responses", model: "without" });
    expect({ readShare, optimizations }).toEqual({ readShare: 0, optimizations: ["none"] });
  });
});

describe("an agent that marks its prompts itself", () => {
  it("keeps its marks as they are, and is not better off than one that does not", async () => {
    const off = await play({ format: "messages", model: "messages-off", headers: OFF, marked: true });
    const on = await play({ format: "messages", model: "messages-on", marked: true });
    expect(on.bodies).toEqual(off.bodies);
    expect(on.optimizations).toEqual(["none"]);
    const helped = await play({ format: "messages", model: "messages-on" });
    expect(helped.cost).toBeLessThanOrEqual(on.cost);
    expect(helped.readShare).toBeGreaterThanOrEqual(on.readShare);
    expect(on.readShare).toBeCloseTo(0.862, 2);
  });
});

describe("questions that have nothing in common", () => {
  it("are not marked: what is written once costs more than what is not kept", async () => {
    cache = new PlayedCache(1024);
    uses = [];
    for (let index = 0; index < 40; index++) {
      const content = `Question ${index}: ${"word ".repeat(1500)}`;
      const body = { model: "attune/chat-asked", messages: [{ role: "user", content }] };
      const headers = service.headers;
      const response = await fetch(service.url + PATH.chat, { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.headers.get("attune-optimizations")).toBe("none");
    }
    expect(uses.every(({ written, read }) => written === 0 && read === 0)).toBe(true);
  });

  it("are marked up to where they part, from the second on that comes in time", async () => {
    cache = new PlayedCache(1024);
    uses = [];
    for (let index = 0; index < 4; index++) {
      const input = [
        { role: "developer", content: `Classify.\n${"rule ".repeat(1500)}` },
        { role: "user", content: `Item ${index}` },
      ];
      const body = { model: "attune/responses-asked", store: false, input };
      const headers = service.headers;
      await fetch(service.url + PATH.responses, { method: "POST", headers, body: JSON.stringify(body) });
    }
    const kept = uses.map(({ written, read }) => [written > 0, read > 0]);
    expect(kept).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [false, true],
    ]);
  });
});
