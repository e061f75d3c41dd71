import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Inference } from "../../src/store/entities/inference.ts";
import type { Answer, Step } from "../support/scripted-upstream.ts";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS, type UpstreamKind } from "../support/upstream-frames.ts";

/** Upstreams that go on and on, or send what cannot be read, took the memory or the answer's status with them. */
let fixture: SdkFixture;

const EVENT_BYTES = 1 << 20;
const ANSWER_BYTES = 4 << 20;
/**
 * What an upstream would send if nobody stopped it, and what it may have sent when it is stopped: sockets hold some.
 */
const ENDLESS_BYTES = 256 << 20;
const MOST_BYTES = 64 << 20;

beforeAll(async () => {
  const limits = `limits: { eventBytes: ${EVENT_BYTES}, eventValues: 20000, answerBytes: ${ANSWER_BYTES} }`;
  fixture = await startSdkFixture({
    change: (yaml) => yaml.replaceAll('secret" }', `secret", ${limits} }`).replaceAll("64000", "4096"),
  });
});

afterAll(() => fixture.close());

function endless(...pieces: string[]): Step[] {
  const text = pieces.join("");
  const repeated = text.repeat(Math.ceil(65_536 / text.length));
  return Array.from({ length: Math.ceil(ENDLESS_BYTES / repeated.length) }, () => repeated);
}

/** The frames of an answer's text until one of its pieces has come. */
function begun(kind: UpstreamKind): { before: string; piece: string } {
  const frames = FRAMES[kind].text;
  const at = frames.findIndex((frame) => frame.includes("Grüße"));
  return { before: frames.slice(0, at).join(""), piece: frames[at] ?? "" };
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const chat = begun("chat");
const responses = begun("responses");
const messages = begun("messages");

/** An upstream's kind, its answer, and words of the error that callers see. */
type Case = readonly [name: string, kind: UpstreamKind, steps: readonly Step[], words: string];

const delta = (members: object): string => data({ choices: [{ index: 0, delta: members, finish_reason: null }] });

const ENDLESS: readonly Case[] = [
  ["a line without an end", "chat", [chat.before, "data: ", ...endless("x")], "limits.eventBytes"],
  [
    "an event without an end",
    "messages",
    [messages.before, ...endless(`data: ${"x".repeat(500)}\n`)],
    "limits.eventBytes",
  ],
  ["short lines without an end", "chat", [chat.before, ...endless("data: z\n")], "lines or pieces"],
  ["empty lines of data without an end", "messages", [messages.before, ...endless("data:\n")], "lines or pieces"],
  ["lines that are no data, without an end", "responses", endless("id: 1\nretry: 1\n: c\n"), "lines or pieces"],
  ["a name of an event without an end", "responses", ["event: ", ...endless("x")], "limits.eventBytes"],
  ["text without an end", "chat", [chat.before, ...endless(delta({ content: "x".repeat(500) }))], "tokens that it"],
  ["text without an end", "responses", [responses.before, ...endless(responses.piece)], "limits.answerBytes"],
  ["text without an end", "messages", [messages.before, ...endless(messages.piece)], "limits.answerBytes"],
  ["comments without an end", "messages", endless(": keep-alive\n\n"), "limits.answerBytes"],
  ["empty deltas without an end", "chat", [chat.before, ...endless(delta({ content: "" }))], "limits.answerBytes"],
  [
    "calls without an end",
    "chat",
    [chat.before, ...endless(delta({ tool_calls: [{ function: { name: "f", arguments: "{}" } }] }))],
    "tokens that it may have",
  ],
  ["events of unknown types", "responses", [responses.before, ...endless(data({ type: "new" }))], "limits.answerBytes"],
];

const UNREADABLE: readonly Case[] = [
  [
    "one chunk with 200,000 calls",
    "chat",
    [delta({ tool_calls: Array.from({ length: 200_000 }, () => 0) })],
    "limits.eventValues",
  ],
  ["an event 100,000 levels deep", "chat", [chat.before, `data: {"a":${nested(100_000)}}\n\n`], "nested deeper"],
  ["an event 100,000 levels deep", "messages", [`data: {"type":"a","a":${nested(100_000)}}\n\n`], "nested deeper"],
  [
    "an event 100,000 levels deep",
    "responses",
    [responses.before, `data: {"type":"a","a":${nested(100_000)}}\n\n`],
    "nested deeper",
  ],
  [
    "a summary of two billion parts",
    "responses",
    [
      data({ type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "r" } }),
      data({ type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 2 ** 31, delta: "a" }),
    ],
    "part 2147483648 of a summary",
  ],
  ["words that are no JSON", "chat", ["data: {\n\n"], "not JSON"],
  ["a list", "messages", ["data: []\n\n"], "not a JSON object"],
];

async function call(steps: Answer, format: (typeof FORMATS)[number], body: object) {
  fixture.upstream.answer({ headers: UPSTREAM_HEADERS, ...steps });
  const response = await fetch(fixture.service.url + PATH[format], {
    method: "POST",
    headers: fixture.service.headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), received: fixture.upstream.received.at(-1) };
}

async function latestStatus(): Promise<unknown> {
  await fixture.service.flush();
  const [row] = await fixture.service.store.fork().find(Inference, {}, { orderBy: { id: "desc" }, limit: 1 });
  return row?.status;
}

describe("an upstream that goes on and on", () => {
  it.each(ENDLESS)("is stopped: %s (%s)", async (_name, kind, steps, words) => {
    for (const stream of [false, true]) {
      const body = { ...bodyOf("chat", MODEL[kind]), stream };
      const { status, text, received } = await call({ steps }, "chat", body);
      expect([status, text]).toEqual([stream ? expect.any(Number) : 502, expect.stringContaining(words)]);
      expect([200, 502]).toContain(status);
      await received?.aborted;
      expect(received?.sent.bytes).toBeLessThan(MOST_BYTES);
      expect(await latestStatus()).toBe("failed");
    }
  });

  it("is stopped inside the stream, in the caller's format, with what came before", async () => {
    for (const format of FORMATS) {
      const body = { ...bodyOf(format, MODEL.messages), stream: true };
      const steps = [messages.before, messages.piece, "data: ", ...endless("x")];
      const { status, text } = await call({ steps }, format, body);
      expect([format, status]).toEqual([format, 200]);
      expect(text).toContain("Grüße");
      const end = { chat: '"error":', responses: "event: response.failed\n", messages: "event: error\n" }[format];
      expect(text).toContain(end);
      expect(text).toContain("limits.eventBytes");
    }
  });

  it("is stopped where it answers with an error, or with a count", async () => {
    const error = await call({ status: 500, steps: endless("x") }, "chat", bodyOf("chat", MODEL.chat));
    expect(error.status).toBe(500);
    expect(error.text.length).toBeLessThan(10_000);
    await error.received?.aborted;
    fixture.upstream.answer({ steps: ['{"input_tokens":1', ...endless(" ")] });
    const count = await fetch(`${fixture.service.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: fixture.service.headers,
      body: JSON.stringify(bodyOf("messages", MODEL.messages)),
    });
    expect(count.status).toBe(502);
    await fixture.upstream.received.at(-1)?.aborted;
    expect(fixture.upstream.received.at(-1)?.sent.bytes).toBeLessThan(MOST_BYTES);
  });

  it("is stopped in its headers", async () => {
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_none, at) => [`x-${at}`, "v".repeat(1000)]));
    const { status, text } = await call({ headers, steps: [] }, "chat", bodyOf("chat", MODEL.chat));
    expect([status, text]).toEqual([502, expect.stringContaining("UND_ERR_HEADERS_OVERFLOW")]);
  });
});

describe("an upstream that sends what cannot be read", () => {
  it.each(UNREADABLE)("has failed: %s (%s)", async (_name, kind, steps, words) => {
    for (const format of FORMATS) {
      const { status, text } = await call({ steps }, format, bodyOf(format, MODEL[kind]));
      expect([format, status, text]).toEqual([format, 502, expect.stringContaining(words)]);
      const streamed = await call({ steps }, format, { ...bodyOf(format, MODEL[kind]), stream: true });
      expect([200, 502]).toContain(streamed.status);
      expect(streamed.text).toContain(words);
    }
  });

  it("has failed where it compresses what it sends", async () => {
    const steps = [gzipSync(FRAMES.chat.text.join(""))];
    const answer = { headers: { "content-encoding": "gzip" }, steps };
    const { status, text } = await call(answer, "chat", bodyOf("chat", MODEL.chat));
    expect([status, text]).toEqual([502, expect.stringContaining("compressed its answer ('gzip')")]);
  });

  it("has failed with the status that it gave, however deep its error is nested", async () => {
    const answer = { status: 503, steps: [`{"detail":${nested(30_000)}}`] };
    expect(await call(answer, "chat", bodyOf("chat", MODEL.chat))).toMatchObject({ status: 503 });
  });

  it("answers all the same with arguments of a call that are nested 100,000 levels deep", async () => {
    const text = `{"a":${nested(100_000)}}`;
    const steps = [
      delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: text } }] }),
      data({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
      "data: [DONE]\n\n",
    ];
    for (const format of FORMATS) {
      const answered = await call({ steps }, format, bodyOf(format, MODEL.chat));
      expect([format, answered.status]).toEqual([format, 200]);
      expect(answered.text).toContain("[".repeat(100_000));
    }
  });

  it("passes over an event of Responses that has no type", async () => {
    const [first = "", ...rest] = FRAMES.responses.text;
    const steps = [first, data({ output_index: 0, a: 1 }), data({ a: 1 }), ...rest];
    for (const format of FORMATS) {
      for (const stream of [false, true]) {
        const { status, text } = await call({ steps }, format, { ...bodyOf(format, MODEL.responses), stream });
        expect([format, status]).toEqual([format, 200]);
        expect(text).toContain("Grüße");
        expect(text).not.toContain('"error":{');
      }
    }
  });
});
