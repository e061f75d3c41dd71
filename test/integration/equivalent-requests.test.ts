import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

/**
 * The contract of answers without feedback: with every optimisation on, what an upstream is sent is what the plain path sends, up to the
 * deployment, cache marks and cache keys where the caller has none; and the caller gets the bytes of the plain answer.
 */
const FORMATS = ["chat", "responses", "messages"] as const;
type Format = (typeof FORMATS)[number];
const PATHS: Record<Format, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};
const OFF = { "attune-optimize": "off" };
const RUNS = 40;

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path, body) => {
    const kind = FORMATS.find((format) => path.startsWith(`/${format}-`)) ?? "chat";
    const scenario = scenarioOf(body);
    return { streamed: { steps: FRAMES[kind][scenario] }, whole: wholeAnswer(WHOLES[kind][scenario]) };
  });
  service = await startTestService({ yaml: yaml(upstream.url) });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function yaml(url: string): string {
  const names = FORMATS.flatMap((kind) => [1, 2, 3].map((number) => ({ kind, name: `${kind}-${number}` })));
  const kinds = { chat: "openai-chat", responses: "openai-responses", messages: "anthropic-messages" };
  const upstreams = names.map(({ kind, name }) => {
    const base = `${url}/${name}${kind === "messages" ? "" : "/v1"}`;
    const keys = kind === "messages" ? "" : ", cacheKeys: true, cacheBreakpoints: true";
    return `\n  ${name}: { kind: ${kinds[kind]}, baseUrl: "${base}", apiKey: k${keys} }`;
  });
  const models = FORMATS.map((kind) => {
    const places = names
      .filter((place) => place.kind === kind)
      .map(({ name }) => `{ upstream: ${name}, model: ${name} }`);
    return `
  - name: ${kind}
    family: messages
    contextWindow: 1000000
    maxOutputTokens: 4096
    minCacheableTokens: 32
    deployments: [ ${places.join(", ")} ]
    optimizations: { replay: { ttlSeconds: 60 } }`;
  });
  return `\nupstreams:${upstreams.join("")}\nmodels:${models.join("")}\n`;
}

/** What of a request is not the contract's: where it goes, and what helps a cache. */
type Json = Record<string, unknown>;
const HELP: ReadonlySet<string> = new Set(["cache_control", "prompt_cache_key"]);

/** A request to an upstream without its deployment and what helps a cache; a lone text may stand as a string. */
function essence(body: string): string {
  const { model: _model, ...others } = JSON.parse(body) as Json;
  return JSON.stringify(others, (name, value: unknown) => {
    if (HELP.has(name)) return undefined;
    if (!Array.isArray(value) || value.length !== 1) return value;
    const [{ type, text, ...members }] = value as [Json];
    const isPlain = Object.keys(members).every((member) => HELP.has(member));
    return type === "text" && typeof text === "string" && isPlain ? text : value;
  });
}

/** What the plain request says of caches. */
function helpOf(body: string): unknown[] {
  const found: unknown[] = [];
  JSON.parse(body, (name, value) => {
    if (HELP.has(name)) found.push([name, value]);
    return value;
  });
  return found;
}

/** The upstream's answer goes by what it is asked alone, as that of a model that leaves nothing to chance. */
function scenarioOf(body: string): "text" | "calls" | "json" {
  const [byte = 0] = createHash("sha256").update(essence(body)).digest();
  return (["text", "calls", "json"] as const)[byte % 3] ?? "text";
}

interface Asked {
  readonly system: string;
  readonly turns: readonly { readonly user: string; readonly reply: string; readonly result: string }[];
  readonly question: string;
  readonly tools: number;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly label: string;
  readonly ownKey: string | undefined;
  readonly ownMark: boolean;
  readonly stream: boolean;
}

const phrase = fc.oneof(
  fc.constantFrom("Say it.", 'A "quoted" \\ word', "two\nlines", "Grüße 🌍"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
);
const text = fc.tuple(phrase, fc.constantFrom(1, 40)).map(([words, times]) => words.repeat(times));
const asked: fc.Arbitrary<Asked> = fc.record({
  system: fc.oneof(fc.constant(""), text),
  turns: fc.array(fc.record({ user: text, reply: text, result: text }), { maxLength: 3 }),
  question: text,
  tools: fc.integer({ min: 0, max: 3 }),
  temperature: fc.constantFrom(0, 0.5, undefined),
  topP: fc.constantFrom(0.25, undefined),
  label: fc.constantFrom("", "a"),
  ownKey: fc.option(fc.constantFrom("", "mine"), { nil: undefined, freq: 4 }),
  ownMark: fc.boolean(),
  stream: fc.boolean(),
});

const SCHEMA = { type: "object", properties: { b: { type: "string" }, a: { type: "integer" } }, required: ["b"] };
const CALL = { name: "tool_0", arguments: '{"b":"1", "a":2}' };
const marked = (is: boolean): object => (is ? { cache_control: { type: "ephemeral" } } : {});

const SAY: Record<Format, (asked: Asked) => Json> = {
  chat: ({ system, turns, question, tools, ownKey }) => ({
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              {
                role: "assistant",
                content: null,
                tool_calls: [{ id: `call_${index}`, type: "function", function: CALL }],
              },
              { role: "tool", tool_call_id: `call_${index}`, content: result },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({
        type: "function",
        function: { name, description: "d".repeat(60), parameters: SCHEMA },
      })),
    }),
    ...(ownKey !== undefined && { prompt_cache_key: ownKey }),
  }),
  responses: ({ system, turns, question, tools, ownKey }) => ({
    ...(system !== "" && { instructions: system }),
    input: [
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              { type: "function_call", call_id: `call_${index}`, ...CALL },
              { type: "function_call_output", call_id: `call_${index}`, output: result },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({
        ...{ type: "function", name, description: "d".repeat(60), parameters: SCHEMA, strict: false },
      })),
    }),
    store: false,
    ...(ownKey !== undefined && { prompt_cache_key: ownKey }),
  }),
  messages: ({ system, turns, question, tools, ownMark }) => ({
    max_tokens: 64,
    ...(system !== "" && { system: [{ type: "text", text: system, ...marked(ownMark) }] }),
    messages: [
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              {
                role: "assistant",
                content: [{ type: "tool_use", id: `call_${index}`, name: CALL.name, input: { b: "1", a: 2 } }],
              },
              {
                role: "user",
                content: [{ type: "tool_result", tool_use_id: `call_${index}`, content: result, ...marked(ownMark) }],
              },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({ name, description: "d".repeat(60), input_schema: SCHEMA })),
    }),
  }),
};

const namesOf = (tools: number): string[] => Array.from({ length: tools }, (_none, index) => `tool_${index}`);

function bodyOf(format: Format, kind: Format, asked: Asked): Json {
  const { temperature, topP, label, stream } = asked;
  return {
    model: `attune/${kind}`,
    ...SAY[format](asked),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(label !== "" && { metadata: format === "messages" ? { user_id: label } : { label } }),
    ...(stream && { stream }),
  };
}

async function send(format: Format, body: Json, headers: object = {}) {
  const response = await fetch(service.url + PATHS[format], {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(body),
  });
  const answer = common(await response.text());
  return { status: response.status, answer, optimizations: response.headers.get("attune-optimizations") ?? "none" };
}

/** An answer without what is each caller's own: ids and times. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?7[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;
function common(text: string): string {
  // The upstream is named in a comment at the end of some streams.
  const said = text.replaceAll(/^: attune-.*$/gm, "");
  return said.replaceAll(UUID, "ID").replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
}

describe.each(FORMATS)("a request in the format %s, with every optimisation on", (format) => {
  it("reaches an upstream as the plain one does, and is answered as that is", async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(fc.constantFrom(...FORMATS), asked, async (kind, asked) => {
      const body = bodyOf(format, kind, asked);
      const before = upstream.received.length;
      const plain = await send(format, body, OFF);
      const [sent, ...none] = upstream.received.slice(before);
      if (sent === undefined) throw new Error(`the plain request was refused: ${plain.answer}`);
      expect([plain.status, none.length]).toEqual([200, 0]);
      const answers = await Promise.all([send(format, body), send(format, body)]);
      await service.flush();
      answers.push(await send(format, body));
      const own = helpOf(sent.body);
      for (const { body } of upstream.received.slice(before + 1)) {
        expect(essence(body)).toBe(essence(sent.body));
        // What the caller says of caches stays, alone where it marks and everywhere where it names.
        if (own.length > 0) expect(helpOf(body)).toEqual(own);
      }
      for (const { status, answer, optimizations } of answers) {
        expect([status, answer]).toEqual([200, plain.answer]);
        for (const name of optimizations.split(", ")) seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: 20_261_123 });
    // It says nothing if nothing was done.
    for (const name of ["deployment-choice", "cache-affinity", "coalesced", "replayed", "cache-marks", "cache-key"])
      expect.soft([...seen.keys()]).toContain(name);
  });
});
