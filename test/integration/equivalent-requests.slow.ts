import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Asked, asked, bodyOf, FORMATS, type Format, type Json, PATHS } from "../support/asked-requests.ts";
import { failingAnswer, MOVING } from "../support/place-failures.ts";
import {
  type Answer,
  type AnswerAsAsked,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

/**
 * The contract of answers without feedback: with every optimisation on, what an upstream is sent is what the plain path
 * sends, up to the deployment, cache marks and cache keys where the caller has none; and the caller gets the bytes of
 * the plain answer, also where a place fails before it answers, or is slow to begin.
 */
const OFF = { "attune-optimize": "off" };

/** What a place does with one call. */
type Trouble = (kind: Format, answer: AnswerAsAsked) => Answer;

/** What does not depend on the place or the prompt, and is over at once. */
const FAILURES = Object.entries(MOVING).filter(
  ([what]) => !["the prompt is too long", "it is silent", "it takes no connections"].includes(what),
);
const failing = FAILURES.map(([what, { answer }]): [string, Trouble] => [what, (kind) => failingAnswer(answer, kind)]);

/** Far longer than what the model's streams take to their first token otherwise. */
const SLOW_MS = 3000;
const slow = [0, 1].map((frames): [string, Trouble] => [
  `is silent after ${frames} frames`,
  (_kind, { streamed: { steps } }) => ({
    steps: [...steps.slice(0, frames), { waitMs: SLOW_MS }, ...steps.slice(frames)],
  }),
]);
/** What the place that is configured first takes longer than the others, so that another is chosen wherever one is. */
const LATER_MS = 20;
const later = ({ streamed, whole }: AnswerAsAsked): AnswerAsAsked => ({
  streamed: { ...streamed, steps: [{ waitMs: LATER_MS }, ...streamed.steps] },
  whole: { ...whole, steps: [{ waitMs: LATER_MS }, ...whole.steps] },
});
/** Streams of which a model's tail is known. */
const STREAMS = 60;

/** Prompts that no cache would hold, of which hardly any is drawn. */
const SHORT = Array.from({ length: 12 }, (_, number): Asked => {
  const sampling = { temperature: undefined, topP: undefined, stream: number % 2 === 0 };
  const own = { label: "", ownKey: undefined, ownMark: false };
  return { system: "", turns: [], question: `Say ${number}.`, tools: 0, ...sampling, ...own };
});

/** What goes wrong, at models of its own, and what has to be done at least once. */
const CIRCUMSTANCES = [
  {
    where: "nothing goes wrong",
    suffix: "",
    runs: 40,
    short: SHORT,
    troubles: [],
    acts: ["deployment-choice", "cache-affinity", "coalesced", "response-cache", "cache-marks", "cache-key"],
  },
  { where: "a place is slow to begin", suffix: "-slow", runs: 10, short: [], troubles: slow, acts: ["hedge"] },
  { where: "a place fails", suffix: "-failing", runs: 20, short: [], troubles: failing, acts: ["failover"] },
] as const;

let upstream: ScriptedUpstream;
let service: TestService;
/** What happens to the next call, and to none after it. */
let trouble: Trouble | undefined;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path, body) => {
    const kind = FORMATS.find((format) => path.startsWith(`/${format}-`)) ?? "chat";
    const scenario = scenarioOf(body);
    const answer = { streamed: { steps: FRAMES[kind][scenario] }, whole: wholeAnswer(WHOLES[kind][scenario]) };
    const met = trouble;
    trouble = undefined;
    if (met !== undefined) return met(kind, answer);
    return path.startsWith(`/${kind}-1/`) ? later(answer) : answer;
  });
  service = await startTestService({ yaml: yaml(upstream.url) });
  const warmUp = async (kind: Format): Promise<void> => {
    const body = { model: `attune/${kind}-slow`, messages: [{ role: "user", content: "Hi" }], stream: true };
    for (let stream = 0; stream < STREAMS; stream++) await send("chat", body);
  };
  await Promise.all(FORMATS.map(warmUp));
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
    const keys = kind === "messages" ? "" : ", profile: { cacheKeys: true, cacheBreakpoints: true }";
    return `\n  ${name}: { kind: ${kinds[kind]}, baseUrl: "${base}", apiKey: k${keys} }`;
  });
  const models = FORMATS.flatMap((kind) =>
    CIRCUMSTANCES.map(({ suffix }) => {
      const places = names
        .filter((place) => place.kind === kind)
        .map(({ name }) => `{ upstream: ${name}, model: ${name}${suffix} }`);
      return `
  - name: ${kind}${suffix}
    family: messages
    contextWindow: 1000000
    maxOutputTokens: 4096
    minCacheableTokens: 32
    deployments: [ ${places.join(", ")} ]
    optimizations: { responseCache: { ttlSeconds: 60 } }`;
    }),
  );
  return `
routing: { hedgingShare: 1 }
upstreams:${upstreams.join("")}
models:${models.join("")}
`;
}

/** What of a request is not the contract's: where it goes, and what helps a cache. */
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
  it.each(CIRCUMSTANCES)(
    "reaches upstreams as the plain one does, and is answered as that is, where $where",
    async ({ suffix, runs, short, troubles, acts }) => {
      const seen = new Set<string>();
      const drawn = fc.record({
        kind: fc.constantFrom(...FORMATS),
        said: asked,
        met: troubles.length === 0 ? fc.constant(undefined) : fc.constantFrom(...troubles),
      });
      const property = fc.asyncProperty(drawn, async ({ kind, said, met }) => {
        const body = bodyOf(format, `${kind}${suffix}`, suffix === "-slow" ? { ...said, stream: true } : said);
        for (const name of await compare(format, body, met?.[1])) seen.add(name);
      });
      const examples = short.map((said, index): [{ kind: Format; said: Asked; met: undefined }] => [
        { kind: FORMATS[index % FORMATS.length] ?? "chat", said, met: undefined },
      ]);
      await fc.assert(property, { numRuns: runs + examples.length, seed: 20_261_123, examples });
      // It says nothing if nothing was done.
      for (const name of acts) expect.soft([...seen]).toContain(name);
    },
  );
});

/**
 * Sends a request the plain way, then two at a time and another with every optimisation, the first call of which meets
 * what is to happen. Returns what was done for them.
 */
async function compare(format: Format, body: Json, met: Trouble | undefined): Promise<Set<string>> {
  const before = upstream.received.length;
  const plain = await send(format, body, OFF);
  const [sent, ...none] = upstream.received.slice(before);
  if (sent === undefined) throw new Error(`the plain request was refused: ${plain.answer}`);
  expect([plain.status, none.length]).toEqual([200, 0]);
  trouble = met;
  const answers = await Promise.all([send(format, body), send(format, body)]);
  // A request that came before may be answered without a call.
  trouble = undefined;
  await service.flush();
  answers.push(await send(format, body));
  const own = helpOf(sent.body);
  for (const { body } of upstream.received.slice(before + 1)) {
    expect(essence(body)).toBe(essence(sent.body));
    // What the caller says of caches stays, alone where it marks and everywhere where it names.
    if (own.length > 0) expect(helpOf(body)).toEqual(own);
  }
  for (const { status, answer } of answers) expect([status, answer]).toEqual([200, plain.answer]);
  return new Set(answers.flatMap(({ optimizations }) => optimizations.split(", ")));
}
