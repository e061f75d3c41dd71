import { create } from "@bufbuild/protobuf";
import { OpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { Dialect, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventEncoder } from "../../../../src/formats/chat/answer/encode-events.ts";
import { encodeResponse } from "../../../../src/formats/chat/answer/encode-response.ts";
import { chatJson } from "../../../../src/formats/chat/raw-json.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { answerEvents, foldEvents, type ScriptedBlock, streamRequest } from "../request/answer.ts";

const head =
  'data: {"id":"0190-id","object":"chat.completion.chunk","created":1700000000,"model":"attune/m","choices":[';

/** A chunk with a delta. */
function chunk(delta: string, logprobs = "null"): string {
  return `${head}{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":null}]}\n\n`;
}

/** The last chunk and what follows it. */
function end(reason: string, delta = "{}"): string {
  return `${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":"${reason}"}]}\n\ndata: [DONE]\n\n`;
}

/** A token of which nobody told the bytes. */
function token(word: string, logprob: number): string {
  return `{"token":"${word}","logprob":${logprob},"bytes":null,"top_logprobs":[]}`;
}

const begin = chunk('{"role":"assistant","content":"","refusal":null}');
/** Opens an answer whose text comes later or never. */
const beginWithoutText = chunk('{"role":"assistant","content":null,"refusal":null}');

function encode(events: readonly GenerateEvent[], members: JsonObject = {}): string {
  return createEventEncoder(streamRequest(members)).encode(events);
}

const text: ScriptedBlock = {
  start: { kind: { case: "text", value: { text: "" } } },
  deltas: [
    { case: "text", value: "Hé" },
    { case: "text", value: "" },
    { case: "text", value: '"😀\n' },
  ],
};

const calls: ScriptedBlock[] = [
  {
    start: { kind: { case: "toolUse", value: { id: "c1", name: "f", kind: ToolKind.FUNCTION } } },
    deltas: [
      { case: "arguments", value: '{"a"' },
      { case: "arguments", value: ":1}" },
    ],
  },
  {
    start: {
      kind: { case: "toolUse", value: { id: "c2", name: "g", kind: ToolKind.CUSTOM } },
      extension: chatJson({ x: 1 }),
    },
    deltas: [{ case: "arguments", value: "free" }],
    endExtension: { y: 2 },
  },
];

const summary = (part: number, value: string) => ({
  case: "summary" as const,
  value: create(SummaryDeltaSchema, { part, text: value }),
});

const thinking: ScriptedBlock[] = [
  { start: { kind: { case: "thinking", value: {} } }, deltas: [{ case: "thinking", value: "raw" }] },
  {
    start: { kind: { case: "thinking", value: { id: "rs_1" } } },
    deltas: [summary(0, "o"), summary(0, "ne"), summary(1, "two"), { case: "opaque", value: "SIG" }],
  },
  { start: { kind: { case: "redactedThinking", value: { data: "BLOB" } } } },
  { start: { kind: { case: "thinking", value: {} } }, deltas: [{ case: "thinking", value: "more" }] },
];

const stop = { reason: FinishReason.STOP, usage: { inputTokens: 2, cacheReadTokens: 1, outputTokens: 3 } };

describe("createEventEncoder()", () => {
  it("writes a text", () => {
    expect(encode(answerEvents([text], stop))).toBe(
      begin + chunk('{"content":"Hé"}') + chunk('{"content":"\\"😀\\n"}') + end("stop"),
    );
  });

  it("writes usage once, at the end, and null in the others, when asked to", () => {
    const chunkOf = (choice: string, usage = "null") => `${head}${choice}],"usage":${usage}}\n\n`;
    const counted =
      '{"prompt_tokens":3,"completion_tokens":3,"total_tokens":6,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":0}}';
    const empty: ScriptedBlock = { start: { kind: { case: "text", value: { text: "" } } } };
    expect(encode(answerEvents([empty], stop), { stream_options: { include_usage: true } })).toBe(
      chunkOf(
        '{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}',
      ) +
        chunkOf('{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}') +
        chunkOf("", counted) +
        "data: [DONE]\n\n",
    );
  });

  it("numbers tool calls apart from blocks, and names each once", () => {
    expect(encode(answerEvents([text, ...calls], { ...stop, reason: FinishReason.TOOL_USE }))).toBe(
      begin +
        chunk('{"content":"Hé"}') +
        chunk('{"content":"\\"😀\\n"}') +
        chunk('{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}') +
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\""}}]}') +
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}') +
        chunk('{"tool_calls":[{"index":1,"id":"c2","type":"custom","custom":{"name":"g","input":""},"x":1}]}') +
        chunk('{"tool_calls":[{"index":1,"custom":{"input":"free"}}]}') +
        chunk('{"tool_calls":[{"index":1,"y":2}]}') +
        end("tool_calls"),
    );
  });

  it("opens without a text where the answer only calls tools", () => {
    expect(encode(answerEvents(calls.slice(0, 1), { ...stop, reason: FinishReason.TOOL_USE }))).toBe(
      beginWithoutText +
        chunk('{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}') +
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\""}}]}') +
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}') +
        end("tool_calls"),
    );
  });

  it("opens an answer of nothing without a text", () => {
    expect(encode(answerEvents([], stop))).toBe(beginWithoutText + end("stop"));
  });

  it("writes reasoning, and its details from the first sealed block on", () => {
    expect(encode(answerEvents(thinking, stop))).toBe(
      beginWithoutText +
        chunk('{"reasoning_content":"raw"}') +
        chunk('{"reasoning_content":"\\n\\no"}') +
        chunk('{"reasoning_content":"ne"}') +
        chunk('{"reasoning_content":"\\n\\ntwo"}') +
        chunk(
          '{"reasoning_details":[{"type":"reasoning.text","text":"raw"},{"type":"reasoning.summary","summary":"one","id":"rs_1"},' +
            '{"type":"reasoning.summary","summary":"two","id":"rs_1"},{"type":"reasoning.text","text":"","signature":"SIG","id":"rs_1"}]}',
        ) +
        chunk('{"reasoning_details":[{"type":"reasoning.encrypted","data":"BLOB"}]}') +
        chunk('{"reasoning_content":"\\n\\nmore"}') +
        chunk('{"reasoning_details":[{"type":"reasoning.text","text":"more"}]}') +
        end("stop"),
    );
  });

  it("writes a refusal, log probabilities, and members that only this dialect knows", () => {
    const refusal: ScriptedBlock = {
      start: { kind: { case: "refusal", value: { text: "" } } },
      deltas: [{ case: "text", value: "No", logprobs: [{ token: "No", logprob: -1 }] }],
    };
    const said: ScriptedBlock = {
      ...text,
      deltas: [{ case: "text", value: "a", logprobs: [{ token: "a", logprob: -2 }] }],
    };
    const extension = chatJson({ service_tier: "default", choices: [{ message: { annotations: [1] } }] });
    expect(encode(answerEvents([said, refusal], { ...stop, extension }))).toBe(
      begin +
        chunk('{"content":"a"}', `{"content":[${token("a", -2)}],"refusal":null}`) +
        chunk('{"refusal":"No"}', `{"content":null,"refusal":[${token("No", -1)}]}`) +
        `${head}{"index":0,"delta":{"annotations":[1]},"logprobs":null,"finish_reason":"stop"}],"service_tier":"default"}\n\n` +
        "data: [DONE]\n\n",
    );
  });

  it("says that an answer was refused, once, where nobody said so in words", () => {
    const refused = { ...stop, reason: FinishReason.REFUSAL };
    const unsaid = chunk('{"refusal":"The model refused to answer."}');
    const refusal: ScriptedBlock = {
      start: { kind: { case: "refusal", value: { text: "" } } },
      deltas: [{ case: "text", value: "No" }],
    };
    expect(encode(answerEvents([], refused))).toBe(beginWithoutText + unsaid + end("stop"));
    expect(encode(answerEvents([text], refused))).toBe(
      begin + chunk('{"content":"Hé"}') + chunk('{"content":"\\"😀\\n"}') + unsaid + end("stop"),
    );
    expect(encode(answerEvents([refusal], refused))).toBe(beginWithoutText + chunk('{"refusal":"No"}') + end("stop"));
  });

  it("passes on events that only this dialect knows, and nothing of other dialects", () => {
    const raw = (dialect: Dialect) =>
      create(GenerateEventSchema, { event: { case: "raw", value: { dialect, json: '{"x":1}' } } });
    const opaque: ScriptedBlock = {
      start: { kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: "{}" } } },
      deltas: [{ case: "raw", value: chatJson({ z: 1 }) }],
    };
    const [started, ...rest] = answerEvents([opaque], stop);
    if (started === undefined) throw new Error("no event");
    expect(encode([started, raw(Dialect.CHAT), raw(Dialect.RESPONSES), ...rest])).toBe(
      `data: {"x":1}\n\n${beginWithoutText}${end("stop")}`,
    );
  });

  it("writes the same in one batch as in many", () => {
    const events = answerEvents([...thinking, text, ...calls], stop);
    const encoder = createEventEncoder(streamRequest());
    expect(events.map((event) => encoder.encode([event])).join("")).toBe(encode(events));
  });

  it("says the same of reasoning as the whole answer does", () => {
    const events = answerEvents([...thinking, text], stop);
    const deltas: JsonObject[] = [...encode(events).matchAll(/^data: (\{.*\})$/gm)].map(
      ([, json]) => JSON.parse(json ?? "").choices[0].delta,
    );
    const { message } = JSON.parse(encodeResponse(foldEvents(events))).choices[0];
    expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe(message.reasoning_content);
    expect(deltas.flatMap((delta) => delta.reasoning_details ?? [])).toEqual(message.reasoning_details);
  });

  it("fails with the error's object and without [DONE]", () => {
    const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy");
    expect(createEventEncoder(streamRequest()).fail(error, "req-1")).toBe(
      'data: {"error":{"message":"busy","type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}\n\n',
    );
  });

  it("keeps a silent stream alive with a comment", () => {
    expect(createEventEncoder(streamRequest()).heartbeat()).toBe(": keep-alive\n\n");
  });
});

/** The official SDK, reading an answer that was written here. */
function client(sse: string): OpenAI {
  const headers = { "content-type": "text/event-stream" };
  return new OpenAI({ apiKey: "k", maxRetries: 0, fetch: async () => new Response(sse, { headers }) });
}

const request = { model: "attune/m", messages: [{ role: "user" as const, content: "x" }] };

describe("createEventEncoder(), read by the official SDK", () => {
  it("adds up to the whole answer", async () => {
    const functions = [calls[0], calls[0]].map((call, index) => ({
      ...call,
      start: { kind: { case: "toolUse" as const, value: { id: `c${index}`, name: "f", kind: ToolKind.FUNCTION } } },
    }));
    const events = answerEvents([text, ...functions], { ...stop, reason: FinishReason.TOOL_USE });
    const sse = encode(events, { stream_options: { include_usage: true } });
    const stream = client(sse).chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    const { system_fingerprint: _none, ...whole } = JSON.parse(encodeResponse(foldEvents(events)));
    expect(await stream.finalChatCompletion()).toMatchObject(whole);
  });

  it("throws on a failure inside the stream", async () => {
    const encoder = createEventEncoder(streamRequest());
    const error = new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream interrupted its answer");
    const sse = encoder.encode(answerEvents([text], stop).slice(0, 3)) + encoder.fail(error, "req-1");
    const stream = await client(sse).chat.completions.create({ ...request, stream: true });
    const texts: string[] = [];
    const read = async () => {
      for await (const part of stream) texts.push(part.choices[0]?.delta.content ?? "");
    };
    await expect(read()).rejects.toThrow("the upstream interrupted its answer");
    expect(texts).toEqual(["", "Hé"]);
  });
});
