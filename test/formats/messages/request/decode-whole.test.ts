import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  GenerateEventSchema,
  GenerateResponseSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder } from "../../../../src/formats/messages/answer/decode-events.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 5,
  cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
  output_tokens: 42,
  output_tokens_details: { thinking_tokens: 9 },
  service_tier: "standard",
};

function message(content: readonly unknown[], members: JsonObject = {}): string {
  const head = { id: "msg_1", type: "message", role: "assistant", model: "up-1", content };
  return JSON.stringify({
    ...head,
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
    usage,
    ...members,
  });
}

function decode(body: string, caller: Dialect = Dialect.MESSAGES) {
  const events = createEventDecoder(caller).decodeWhole(body);
  const check = createOrderCheck();
  for (const event of events) check(event);
  return events;
}

/** The answer as the hub's own JSON. */
function answer(body: string, caller: Dialect = Dialect.MESSAGES): unknown {
  const fold = new ResponseFold();
  for (const event of decode(body, caller)) fold.add(event);
  return toJson(GenerateResponseSchema, { ...fold.response, serving: undefined });
}

const messages = (value: object) => ({ dialect: "DIALECT_MESSAGES", json: JSON.stringify(value) });
const decodedUsage = {
  inputTokens: 10,
  cacheReadTokens: 5,
  cacheWriteTokens: 7,
  cacheWrite5mTokens: 3,
  cacheWrite1hTokens: 4,
  outputTokens: 42,
  reasoningTokens: 9,
  extension: messages({ service_tier: "standard" }),
};
const finished = { reason: "FINISH_REASON_STOP", rawReason: "end_turn", usage: decodedUsage };

describe("decodeWhole() of anthropic-messages", () => {
  it("says what a stream says, in one batch", () => {
    const events = decode(message([{ type: "text", text: "Hi", citations: null }]));
    expect(events.map((event) => toJson(GenerateEventSchema, event))).toEqual([
      { started: { serving: { upstreamModel: "up-1" }, usage: decodedUsage } },
      { blockStart: { block: { text: {} } } },
      { blockDelta: { text: "Hi" } },
      { blockEnd: {} },
      { finished },
    ]);
  });

  it("reads thinking, texts, calls and blocks that only this format knows, in their order", () => {
    const search = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } };
    const content = [
      { type: "thinking", thinking: "why", signature: "SIG" },
      { type: "redacted_thinking", data: "BLOB" },
      search,
      { type: "text", text: "say", x: 1 },
      { type: "tool_use", id: "t", name: "f", input: { n: 1 }, caller: { type: "direct" } },
      { type: "tool_use", id: "u", name: "g", input: {} },
    ];
    expect(answer(message(content, { stop_reason: "tool_use" }))).toEqual({
      content: [
        { thinking: { summary: ["why"], opaque: "SIG" } },
        { redactedThinking: { data: "BLOB" } },
        { opaque: messages(search) },
        { text: { text: "say" }, extension: messages({ x: 1 }) },
        {
          toolUse: { id: "t", name: "f", arguments: '{"n":1}', kind: "TOOL_KIND_FUNCTION" },
          extension: messages({ caller: { type: "direct" } }),
        },
        { toolUse: { id: "u", name: "g", arguments: "{}", kind: "TOOL_KIND_FUNCTION" } },
      ],
      finished: { ...finished, reason: "FINISH_REASON_TOOL_USE", rawReason: "tool_use" },
    });
  });

  it("keeps numbers of a call's input that no double holds", () => {
    const body = message([{ type: "tool_use", id: "t", name: "f", input: { n: 0 } }]).replace(
      '"n":0',
      '"n":9007199254740993',
    );
    expect(answer(body)).toMatchObject({ content: [{ toolUse: { arguments: '{"n":9007199254740993}' } }] });
  });

  it("tells citations as a stream does: the block is empty when it begins", () => {
    const citations = [
      { type: "char_location", cited_text: "a" },
      { type: "char_location", cited_text: "b" },
    ];
    const events = decode(message([{ type: "text", text: "say", citations }]));
    expect(events.slice(1, 4).map((event) => toJson(GenerateEventSchema, event))).toEqual([
      { blockStart: { block: { text: {}, extension: messages({ citations: [] }) } } },
      { blockDelta: { text: "say" } },
      { blockDelta: { raw: messages({ citations }) } },
    ]);
    expect(answer(message([{ type: "text", text: "say", citations }]))).toMatchObject({
      content: [{ text: { text: "say" }, extension: messages({ citations }) }],
    });
  });

  it("keeps the stop sequence, and members of the message that only this format knows", () => {
    const members = { stop_reason: "stop_sequence", stop_sequence: "END", container: { id: "c" }, x: 1 };
    expect(answer(message([{ type: "text", text: "a" }], members))).toMatchObject({
      finished: {
        reason: "FINISH_REASON_STOP_SEQUENCE",
        stopSequence: "END",
        extension: messages({ container: { id: "c" }, x: 1 }),
      },
    });
  });

  it("says why it refused as a refusal, to callers of another format", () => {
    const stop_details = { type: "refusal", category: "cyber", explanation: "No" };
    const body = message([{ type: "text", text: "Well" }], { stop_reason: "refusal", stop_details });
    expect(answer(body, Dialect.CHAT)).toMatchObject({
      content: [{ text: { text: "Well" } }, { refusal: { text: "No" } }],
      finished: { extension: messages({ stop_details: { type: "refusal", category: "cyber" } }) },
    });
    expect(answer(body)).toMatchObject({
      content: [{ text: { text: "Well" } }],
      finished: { extension: messages({ stop_details }) },
    });
  });

  it("takes an answer of nothing", () => {
    expect(answer(message([], { stop_reason: "max_tokens" }))).toMatchObject({
      finished: { reason: "FINISH_REASON_LENGTH", rawReason: "max_tokens" },
    });
  });

  it("ends well without a reason where it says something", () => {
    const body = message([{ type: "text", text: "a" }], { stop_reason: null });
    const events = createEventDecoder(Dialect.MESSAGES).decodeWhole(body);
    expect(events.at(-1)?.event.value).toMatchObject({ reason: FinishReason.STOP, rawReason: "" });
  });

  it.each([
    [
      "no JSON",
      "<html>",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer broke its format: it is not a JSON object",
    ],
    [
      "a body that is cut off",
      message([]).slice(0, -1),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer broke its format: it is not a JSON object",
    ],
    [
      "content that is none",
      '{"content":{"text":"a"},"stop_reason":"end_turn"}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer broke its format: content is not a list",
    ],
    [
      "a block that is none",
      message(["text"]),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer broke its format: a block is not an object",
    ],
    [
      "no reason",
      message([], { stop_reason: null }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer broke its format: it has no stop_reason",
    ],
    [
      "a text that is none",
      message([{ type: "text", text: ["a"] }]),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: text must be text",
    ],
    [
      "an input that is none",
      message([{ type: "tool_use", id: "t", name: "f", input: [1] }]),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: the input of a tool call is not an object",
    ],
    [
      "an error",
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}',
      ErrorReason.UPSTREAM_OVERLOADED,
      "Overloaded",
    ],
  ])("reports %s", (_name, body, reason, text) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ reason, message: text }));
  });

  it("refuses to make more than 50,000 events of one message", () => {
    const content = Array.from({ length: 25_000 }, () => ({ type: "text", text: "" }));
    expect(() => decode(message(content))).toThrow(/contains more than 50000 pieces of an answer/);
  });
});
