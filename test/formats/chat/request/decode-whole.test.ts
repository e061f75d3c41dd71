import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder } from "../../../../src/formats/chat/answer/decode-events.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

const head = { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "up-1" };

/** A completion with one choice. */
function completion(message: JsonObject, choice: JsonObject = {}, answer: JsonObject = {}): string {
  const said = { role: "assistant", content: null, refusal: null, ...message };
  return JSON.stringify({
    ...head,
    choices: [{ index: 0, message: said, finish_reason: "stop", ...choice }],
    ...answer,
  });
}

function decode(body: string, caller: Dialect = Dialect.CHAT) {
  const events = createEventDecoder(caller).decodeWhole(body);
  const check = createOrderCheck();
  for (const event of events) check(event);
  return events;
}

/** The answer as the hub's own JSON. */
function answer(body: string, caller: Dialect = Dialect.CHAT): unknown {
  const fold = new ResponseFold();
  for (const event of decode(body, caller)) fold.add(event);
  return toJson(GenerateResponseSchema, { ...fold.response, serving: undefined });
}

const stop = { reason: "FINISH_REASON_STOP", rawReason: "stop" };
const toolUse = { reason: "FINISH_REASON_TOOL_USE", rawReason: "tool_calls" };
const chat = (value: object) => ({ dialect: "DIALECT_CHAT", json: JSON.stringify(value) });
const token = (text: string) => ({ token: text, logprob: -0.5, bytes: [97], top_logprobs: [] });

describe("decodeWhole() of openai-chat", () => {
  it("says what a stream says, in one batch", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 3 },
    };
    const events = decode(completion({ content: "Héllo" }, {}, { usage }));
    expect(events.map((event) => toJson(GenerateEventSchema, event))).toEqual([
      { started: { serving: { upstreamModel: "up-1" } } },
      { blockStart: { block: { text: {} } } },
      { blockDelta: { text: "Héllo" } },
      { blockEnd: {} },
      { finished: { ...stop, usage: { inputTokens: 7, cacheReadTokens: 3, outputTokens: 4 } } },
    ]);
  });

  it("reads reasoning, a text, a refusal and calls of both kinds, in this order", () => {
    const tool_calls = [
      { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' }, extra: 1 },
      { id: "b", type: "custom", custom: { name: "g", input: "free text" } },
    ];
    const message = { reasoning_content: "why", content: "say", refusal: "no", tool_calls };
    expect(answer(completion(message, { finish_reason: "tool_calls" }))).toEqual({
      content: [
        { thinking: { text: "why" } },
        { text: { text: "say" } },
        { refusal: { text: "no" } },
        {
          toolUse: { id: "a", name: "f", arguments: '{"x":1}', kind: "TOOL_KIND_FUNCTION" },
          extension: chat({ extra: 1 }),
        },
        { toolUse: { id: "b", name: "g", arguments: "free text", kind: "TOOL_KIND_CUSTOM" } },
      ],
      finished: toolUse,
    });
  });

  it("reads content that is a list, and keeps parts that it does not know beside it", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "why" }] };
    const reference = { type: "reference", reference_ids: [1] };
    const logprobs = { content: [token("say")] };
    const content = [thinking, { type: "text", text: "say" }, reference];
    expect(answer(completion({ content }, { logprobs }))).toEqual({
      content: [
        { thinking: { text: "why" } },
        { text: { text: "say" }, logprobs: { tokens: [{ token: "say", logprob: -0.5, bytes: "YQ==" }] } },
      ],
      finished: { ...stop, extension: chat({ choices: [{ message: { content_parts: [reference] } }] }) },
    });
  });

  it("takes each call for one of its own, whatever it is called and however it is cut", () => {
    const f = (text: string) => ({ id: "same", index: 0, type: "function", function: { name: "f", arguments: text } });
    const tool_calls = [f('{"cut'), f('{"a":1}'), { ...f("{}"), id: "" }, { ...f("{}"), id: null }];
    const { content } = answer(completion({ tool_calls }, { finish_reason: "tool_calls" })) as {
      content: { toolUse: { id: string; arguments: string } }[];
    };
    expect(content.map(({ toolUse }) => toolUse.arguments)).toEqual(['{"cut', '{"a":1}', "{}", "{}"]);
    expect(content.map(({ toolUse }) => toolUse.id)).toEqual([
      "same",
      expect.stringMatching(/^call_/),
      expect.any(String),
      expect.any(String),
    ]);
  });

  it("keeps signatures, sealed reasoning and what else reasoning_details has", () => {
    const reasoning_details = [
      { type: "reasoning.text", text: "why", signature: "SIG", format: "f" },
      { type: "reasoning.encrypted", data: "BLOB", id: "e" },
      { type: "reasoning.odd", x: 1 },
    ];
    expect(answer(completion({ reasoning: "why", reasoning_details, content: "say" }))).toEqual({
      content: [
        { thinking: { text: "why", opaque: "SIG" }, extension: chat({ format: "f" }) },
        { redactedThinking: { data: "BLOB" }, extension: chat({ id: "e" }) },
        { text: { text: "say" } },
      ],
      finished: {
        ...stop,
        extension: chat({ choices: [{ message: { reasoning_details: [{ type: "reasoning.odd", x: 1 }] } }] }),
      },
    });
  });

  it("gives reasoning without a signature an empty one, for callers of another format", () => {
    expect(answer(completion({ reasoning_content: "why", content: "say" }), Dialect.MESSAGES)).toMatchObject({
      content: [{ thinking: { text: "why", opaque: "" } }, { text: { text: "say" } }],
    });
  });

  it("keeps log probabilities with the text that they are of, and not with the reasoning before it", () => {
    const logprobs = { content: [token("say")], refusal: [token("no")] };
    expect(answer(completion({ reasoning_content: "why", content: "say", refusal: "no" }, { logprobs }))).toMatchObject(
      {
        content: [
          { thinking: { text: "why" } },
          { text: { text: "say" }, logprobs: { tokens: [{ token: "say", logprob: -0.5, bytes: "YQ==" }] } },
          { refusal: { text: "no" }, logprobs: { tokens: [{ token: "no", logprob: -0.5, bytes: "YQ==" }] } },
        ],
      },
    );
  });

  it("keeps members that only this dialect knows, where they stood", () => {
    const body = completion(
      { content: "a", annotations: ["odd"], x_message: 1 },
      { x_choice: { deep: [1] } },
      { system_fingerprint: "fp", x_answer: 12345678901234567890n.toString() },
    );
    expect(answer(body)).toMatchObject({
      finished: {
        extension: chat({
          system_fingerprint: "fp",
          x_answer: "12345678901234567890",
          choices: [{ x_choice: { deep: [1] }, message: { annotations: ["odd"], x_message: 1 } }],
        }),
      },
    });
  });

  it("ends well without a reason where it says something", () => {
    const text = completion({ content: "a" }, { finish_reason: null });
    expect(answer(text)).toMatchObject({ content: [{ text: { text: "a" } }], finished: { reason: stop.reason } });
    const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
    expect(answer(completion({ tool_calls: [call] }, { finish_reason: "" }))).toMatchObject({
      finished: { reason: toolUse.reason },
    });
  });

  it("reads a body with white space around it", () => {
    expect(answer(`\n ${completion({ content: "a" })}\n`)).toMatchObject({ content: [{ text: { text: "a" } }] });
  });

  it.each([
    ["no JSON", "<html>", ErrorReason.STREAM_INTERRUPTED, "the upstream's answer is broken: it is not JSON"],
    ["a list", "[]", ErrorReason.STREAM_INTERRUPTED, "the upstream's answer is broken: it is not a JSON object"],
    [
      "a body that is cut off",
      completion({ content: "a" }).slice(0, -9),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: it is not JSON",
    ],
    ["no choice", "{}", ErrorReason.STREAM_INTERRUPTED, "the upstream's answer ended before its finish_reason"],
    [
      "no reason",
      completion({}, { finish_reason: null }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer ended before its finish_reason",
    ],
    [
      "a second choice",
      JSON.stringify({ choices: [{ index: 1, message: {}, finish_reason: "stop" }] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: it has a choice with the index 1, and one answer was asked for",
    ],
    ["an error", '{"error":{"message":"Slow","code":"rate_limit_exceeded"}}', ErrorReason.RATE_LIMITED, "Slow"],
    ["an error without an object", '{"error":"Broken"}', ErrorReason.UPSTREAM_ERROR, "Broken"],
    ["a detail", '{"detail":"No model"}', ErrorReason.UPSTREAM_ERROR, "No model"],
    [
      "a choice that failed",
      completion({ content: "a" }, { finish_reason: "error" }),
      ErrorReason.UPSTREAM_ERROR,
      "the upstream's answer ends with the reason 'error'",
    ],
    [
      "no message",
      JSON.stringify({ choices: [{ index: 0, finish_reason: "stop" }] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: choices[0].message is not an object",
    ],
    [
      "a choice that is none",
      '{"choices":["a"]}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: a choice is not an object",
    ],
    [
      "content that is a list of no parts",
      completion({ content: [1] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: content must be text or a list of parts",
    ],
    [
      "calls that are none",
      completion({ tool_calls: ["f"] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: tool_calls is not a list of objects",
    ],
    [
      "arguments that are none",
      completion({ tool_calls: [{ id: "a", function: { name: "f", arguments: [1] } }] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: the arguments of a tool call must be text",
    ],
    [
      "a call without a name",
      completion({ tool_calls: [{ id: "a", function: { arguments: "{}" } }] }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: a tool call has no name",
    ],
  ])("reports %s", (_name, body, reason, message) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ reason, message }));
  });
});
