import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import { readInference } from "../support/read-inference.ts";
import {
  type Answer,
  type AnswerAsAsked,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { untilUnderWay } from "../support/under-way.ts";
import { FRAMES, messageItem, responsesFrames, TEXT } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

const FORMATS = ["chat", "responses", "messages"] as const;
type Format = (typeof FORMATS)[number];

let upstream: ScriptedUpstream;
let service: TestService;
let connection: ClientHttp2Session;
/** What the upstream answers, by the model that it is asked for. */
let answers: Record<string, Answer | AnswerAsAsked> = {};

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy(
    (_path, body) => answers[(JSON.parse(body) as { model: string }).model] ?? { status: 500, steps: [] },
  );
  service = await startTestService({ yaml: yaml(upstream.url) });
  // Who does not read gets no more than this, and the service keeps 64 KiB for them.
  connection = connect(service.url, { settings: { initialWindowSize: 1024 } });
});
beforeEach(() => {
  answers = {};
  upstream.received.length = 0;
});
afterAll(async () => {
  connection.destroy();
  await service.close();
  await upstream.close();
});

/** The same question in each format, at temperature 0. */
const PATHS: Record<Format, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};
function bodyOf(format: Format, model: string, members: object = {}): object {
  const sampling = { model: `attune/${model}`, temperature: 0, stream: true };
  const messages = [{ role: "user", content: "Say it." }];
  switch (format) {
    case "chat":
      return { ...sampling, messages, max_completion_tokens: 64, ...members };
    case "responses":
      return { ...sampling, input: messages, max_output_tokens: 64, store: false, ...members };
    case "messages":
      return { ...sampling, messages, max_tokens: 64, ...members };
  }
}

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly id: string;
  readonly optimizations: string | null;
  readonly headers: Headers;
}

async function ask(format: Format, model: string, members: object = {}, headers: object = {}): Promise<Seen> {
  const response = await send(format, model, { members, headers });
  const text = await response.text();
  const optimizations = response.headers.get("attune-optimizations");
  return { status: response.status, text, id: idIn(text), optimizations, headers: response.headers };
}

interface Sending {
  readonly members?: object;
  readonly headers?: object;
  readonly signal?: AbortSignal;
}

function send(format: Format, model: string, { members, headers, signal }: Sending = {}): Promise<Response> {
  return fetch(service.url + PATHS[format], {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(bodyOf(format, model, members)),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Of an inference; ids of items are made from it, without the dashes. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?7[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}/;
const idIn = (text: string): string => UUID.exec(text)?.[0] ?? "";

/** An answer without what is each caller's own: ids and times. */
function common(text: string): string {
  return text.replaceAll(new RegExp(UUID, "g"), "ID").replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
}

async function rowOf(id: string): Promise<InferenceRow> {
  await service.flush();
  const row = (await readInference(service.store, id))?.row;
  if (row === undefined) throw new Error(`the inference ${id} is not recorded`);
  return row;
}

/** A long answer in pieces; the test says when it goes on after its beginning, and when after its middle. */
function longAnswer() {
  const pieces = Array.from({ length: 60 }, (_, piece) => `${piece}:${"abcdefghij".repeat(150)} `);
  const frames = responsesFrames([messageItem("msg_up", pieces)]);
  const [middle, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const beginning = [frames.slice(0, 4).join(""), { until: middle.promise }];
  const steps = [...beginning, ...frames.slice(4, 20), { until: rest.promise }, ...frames.slice(20)];
  return { answer: { steps }, plain: { steps: frames }, text: pieces.join(""), middle, rest };
}

const underWay = (count: number) => untilUnderWay(service, count);

/** An upstream's answer waits for what `held` resolves; the asking are all there by then. */
async function askedTogether(asking: readonly Promise<Seen>[], held: PromiseWithResolvers<void>): Promise<Seen[]> {
  await underWay(asking.length);
  held.resolve();
  return await Promise.all(asking);
}

/** The words of an answer in any format. */
function wordsOf(format: Format, text: string): string {
  const events = text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
  if (format === "chat") return events.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  if (format === "responses")
    return events.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("");
  return events.map(({ type, delta }) => (type === "content_block_delta" ? delta.text : "")).join("");
}

/**
 * A caller who reads the headers of an answer and no more; over HTTP/2, so that no buffer of the system takes what they
 * do not.
 */
async function neverRead(format: Format, model: string): Promise<ClientHttp2Stream> {
  const { authorization = "" } = service.headers;
  const headers = { ":method": "POST", ":path": PATHS[format], "content-type": "application/json", authorization };
  const stream = connection.request(headers);
  stream.on("error", () => {});
  stream.end(JSON.stringify(bodyOf(format, model)));
  await once(stream, "response");
  return stream;
}

describe("200 identical streams at once over three formats", () => {
  it("make one call, are all answered, and wait neither for who never reads nor for who leaves", async () => {
    const { answer, plain, text, middle, rest } = longAnswer();
    answers = { "real-shared": answer };
    // The one whose call it is leaves first.
    const leaving = new AbortController();
    const first = await send("chat", "shared", { signal: leaving.signal });
    expect(first.headers.get("attune-optimizations")).toBe("none");
    const begun = new TextDecoder().decode((await first.body?.getReader().read())?.value);
    const never = await neverRead("messages", "shared");
    const early = Array.from({ length: 99 }, (_, index) => FORMATS[index % 3] as Format);
    const asked = early.map((format) => ask(format, "shared"));
    await underWay(101);
    leaving.abort();
    middle.resolve();
    const late = early.map((format) => ask(format, "shared"));
    await underWay(200);
    rest.resolve();
    const seen = await Promise.all([...asked, ...late]);
    expect(upstream.received).toHaveLength(1);
    const formats = [...early, ...early];
    for (const [index, { status, text: answered, optimizations }] of seen.entries()) {
      expect([status, optimizations]).toEqual([200, "coalesced"]);
      expect(wordsOf(formats[index] as Format, answered)).toBe(text);
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(198);
    // Only the one who never reads is still waited for.
    await underWay(1);
    never.destroy();
    await underWay(0);

    // Byte for byte what the plain path answers.
    answers = { "real-shared": plain };
    for (const format of FORMATS) {
      const alone = await ask(format, "shared", {}, { "attune-optimize": "off" });
      expect(alone.optimizations).toBe("none");
      const of = new Set(seen.filter((_, index) => formats[index] === format).map(({ text }) => common(text)));
      expect([...of]).toEqual([common(alone.text)]);
    }

    // One of them has the call and what it cost; all others have usage, and what they saved.
    const bill = await rowOf(idIn(begun));
    expect(bill).toMatchObject({ status: "canceled", inputTokens: 20, outputTokens: 15, optimizations: [] });
    expect(bill.costNanos).toBeGreaterThan(0);
    for (const { id } of seen.slice(0, 6)) {
      expect(await rowOf(id)).toMatchObject({
        status: "completed",
        upstream: "responses",
        upstreamModel: "real-shared",
        inputTokens: 20,
        outputTokens: 15,
        costNanos: 0,
        baseCostNanos: bill.costNanos,
        optimizations: ["coalesced"],
      });
    }
  });
});

describe("identical whole answers at once", () => {
  it("make one call, and none with streams", async () => {
    const held = Promise.withResolvers<void>();
    const whole: Answer = {
      steps: [{ until: held.promise }, ...wholeAnswer(WHOLES.responses.text).steps],
      headers: { "content-type": "application/json" },
    };
    answers = { "real-shared": { whole, streamed: { steps: [{ until: held.promise }, ...FRAMES.responses.text] } } };
    const asking = [
      ...FORMATS.map((format) => ask(format, "shared", { stream: false })),
      ask("chat", "shared", { stream: false }),
      ask("chat", "shared"),
    ];
    const seen = await askedTogether(asking, held);
    expect(seen.map(({ optimizations }) => optimizations).sort()).toEqual([
      "coalesced",
      "coalesced",
      "coalesced",
      "none",
      "none",
    ]);
    for (const { text } of seen.slice(0, 4)) expect(text).toContain(JSON.stringify(TEXT).slice(1, -1));
    expect(upstream.received).toHaveLength(2);
  });
});

describe("requests that are not shared", () => {
  it.each<[string, object, object, string]>([
    ["leave the answer to chance", { temperature: 0.1 }, {}, "shared"],
    ["want the plain path", {}, { "attune-optimize": "off" }, "shared"],
    ["are for a model without it", {}, {}, "unshared"],
    ["are to be stored", { store: true }, {}, "shared"],
  ])("are those that %s", async (_why, members, headers, model) => {
    const held = Promise.withResolvers<void>();
    answers = { [`real-${model}`]: { steps: [{ until: held.promise }, ...FRAMES.responses.text] } };
    const asking = [1, 2, 3].map(() => ask("responses", model, members, headers));
    const seen = await askedTogether(asking, held);
    expect(seen.map(({ optimizations }) => optimizations)).toEqual(["none", "none", "none"]);
    expect(upstream.received).toHaveLength(3);
  });

  it("are those of callers who would get another answer for their format", async () => {
    const held = Promise.withResolvers<void>();
    answers = { "real-chatty": { steps: [{ until: held.promise }, ...FRAMES.chat.thinking] } };
    const formats = [...FORMATS, ...FORMATS];
    const asking = formats.map((format) => ask(format, "chatty"));
    const seen = await askedTogether(asking, held);
    expect(upstream.received).toHaveLength(2);
    answers = { "real-chatty": { steps: FRAMES.chat.thinking } };
    for (const [index, { text }] of seen.entries()) {
      const plain = await ask(formats[index] as Format, "chatty", {}, { "attune-optimize": "off" });
      expect(common(text)).toBe(common(plain.text));
    }
  });
});

describe("a call that fails", () => {
  it("fails for the one who made it; the others ask on their own", async () => {
    let calls = 0;
    const held = Promise.withResolvers<void>();
    const error = JSON.stringify({ error: { message: "no", type: "server_error", code: null, param: null } });
    const failing: Answer = {
      status: 500,
      headers: { "content-type": "application/json" },
      steps: [{ until: held.promise }, error],
    };
    upstream.answerBy(() => (calls++ === 0 ? failing : { steps: FRAMES.responses.text }));
    const asking = [1, 2, 3, 4].map(() => ask("responses", "shared"));
    const seen = await askedTogether(asking, held);
    upstream.answerBy(
      (_path, body) => answers[(JSON.parse(body) as { model: string }).model] ?? { status: 500, steps: [] },
    );
    expect(seen.map(({ status }) => status).sort()).toEqual([200, 200, 200, 500]);
    expect(upstream.received).toHaveLength(4);
    const answered = seen.filter(({ status }) => status === 200);
    expect(answered.map(({ optimizations }) => optimizations)).toEqual(["none", "none", "none"]);
    const rows = await Promise.all(answered.map(({ id }) => rowOf(id)));
    for (const row of rows) expect(row.costNanos).toBe(row.baseCostNanos);
  });

  it("breaks off for all once the answer has begun, and is not answered from again", async () => {
    const held = Promise.withResolvers<void>();
    answers = { "real-shared": { steps: [...FRAMES.responses.text.slice(0, 5), { until: held.promise }, "die"] } };
    const asking = [1, 2, 3].map(() => ask("responses", "shared"));
    const seen = await askedTogether(asking, held);
    expect(upstream.received).toHaveLength(1);
    for (const { text } of seen) expect(text).toContain('"type":"error"');
    answers = { "real-shared": { steps: FRAMES.responses.text } };
    expect((await ask("responses", "shared")).optimizations).toBe("none");
  });

  it("is broken off when all have left", async () => {
    answers = { "real-shared": { steps: FRAMES.responses.text.slice(0, 5), hang: true } };
    const leaving = [1, 2, 3].map(() => new AbortController());
    const begun = await Promise.all(leaving.map(({ signal }) => send("responses", "shared", { signal })));
    expect(begun).toHaveLength(3);
    for (const controller of leaving) controller.abort();
    await expect(upstream.received[0]?.aborted).resolves.toBeGreaterThan(0);
    expect(upstream.received).toHaveLength(1);
  });
});

function yaml(url: string): string {
  const model = (name: string, kind: string, more = ""): string => `
  - name: ${name}
    family: messages
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    deployments: [ { upstream: ${kind}, model: real-${name} } ]${more}`;
  return `
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1" }
  responses: { kind: openai-responses, baseUrl: "${url}/v1" }
models:${model("shared", "responses")}${model("unshared", "responses", "\n    optimizations: { coalescing: false }")}${model("chatty", "chat")}
`;
}
