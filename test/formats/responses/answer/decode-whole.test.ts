import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder } from "../../../../src/formats/responses/answer/decode-events.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";
import { LATE_ITEM_MEMBERS } from "../../../../src/hub/late-item-members.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
};

function resource(output: readonly object[], members: JsonObject = {}): string {
  const head = { id: "resp_1", object: "response", created_at: 1, status: "completed", error: null };
  return JSON.stringify({ ...head, incomplete_details: null, model: "up-1", output, usage, ...members });
}

function decode(body: string) {
  const events = createEventDecoder(Dialect.RESPONSES).decodeWhole(body);
  const check = createOrderCheck();
  for (const event of events) check(event);
  return events;
}

/** The answer as the hub's own JSON. */
function answer(body: string): unknown {
  const fold = new ResponseFold();
  for (const event of decode(body)) fold.add(event);
  return toJson(GenerateResponseSchema, { ...fold.response, serving: undefined });
}

const said = (text: string, members: object = {}) => ({ type: "output_text", text, annotations: [], ...members });
const message = (content: readonly object[], members: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content,
  ...members,
});
const responses = (value: object) => ({ dialect: "DIALECT_RESPONSES", json: JSON.stringify(value) });
const decodedUsage = { inputTokens: 6, cacheReadTokens: 4, outputTokens: 5, reasoningTokens: 2 };
const finished = { reason: "FINISH_REASON_STOP", rawReason: "completed", usage: decodedUsage };

describe("decodeWhole() of openai-responses", () => {
  it("says what a stream says, in one batch", () => {
    const events = decode(resource([message([said("Hi")])]));
    expect(events.map((event) => toJson(GenerateEventSchema, event))).toEqual([
      { started: { serving: { upstreamModel: "up-1" } } },
      { blockStart: { block: { text: {}, itemId: "msg_1" } } },
      { blockDelta: { text: "Hi" } },
      { blockEnd: {} },
      { finished },
    ]);
  });

  it("reads reasoning, texts, refusals, calls and items that only this format knows, in their order", () => {
    const annotation = { type: "url_citation", url: "https://a.example" };
    const token = { token: "a", logprob: -1 };
    const search = { id: "ws_1", type: "web_search_call", status: "completed", action: { query: "q" } };
    const output = [
      {
        id: "rs_1",
        type: "reasoning",
        summary: [
          { type: "summary_text", text: "one" },
          { type: "summary_text", text: "two" },
        ],
        content: [{ type: "reasoning_text", text: "raw" }],
        encrypted_content: "BLOB",
      },
      search,
      message([said("a", { annotations: [annotation], logprobs: [token], x: 1 }), { type: "refusal", refusal: "no" }], {
        status: "incomplete",
      }),
      { id: "fc_1", type: "function_call", call_id: "c1", name: "f", arguments: '{"x":1}', status: "completed" },
      { id: "ct_1", type: "custom_tool_call", call_id: "c2", name: "g", input: "free", status: "completed" },
    ];
    expect(answer(resource(output))).toEqual({
      content: [
        { thinking: { id: "rs_1", text: "raw", summary: ["one", "two"], opaque: "BLOB" }, itemId: "rs_1" },
        { opaque: responses(search) },
        {
          text: { text: "a" },
          itemId: "msg_1",
          logprobs: { tokens: [token] },
          annotations: { annotations: [{ urlCitation: { url: "https://a.example" } }] },
          extension: responses({ x: 1 }),
        },
        {
          refusal: { text: "no" },
          itemId: "msg_1",
          extension: responses({ [LATE_ITEM_MEMBERS]: { status: "incomplete" } }),
        },
        { toolUse: { id: "c1", name: "f", arguments: '{"x":1}', kind: "TOOL_KIND_FUNCTION" }, itemId: "fc_1" },
        { toolUse: { id: "c2", name: "g", arguments: "free", kind: "TOOL_KIND_CUSTOM" }, itemId: "ct_1" },
      ],
      finished: { ...finished, reason: "FINISH_REASON_TOOL_USE" },
    });
  });

  it("takes each item for one of its own, also where they share an id or have none", () => {
    const calls = ["a", "b"].map((name) => ({ id: "x", type: "function_call", call_id: name, name, arguments: "{}" }));
    const { content } = answer(resource([...calls, message([said("1")], { id: "" })])) as { content: object[] };
    expect(content).toHaveLength(3);
  });

  it("keeps members of the Response that only this format knows", () => {
    expect(answer(resource([message([said("a")])], { service_tier: "flex", x: [1] }))).toMatchObject({
      finished: { extension: responses({ service_tier: "flex", x: [1] }) },
    });
  });

  it.each([
    ["max_output_tokens", { reason: "FINISH_REASON_LENGTH", rawReason: "max_output_tokens" }],
    ["content_filter", { reason: "FINISH_REASON_CONTENT_FILTER", rawReason: "content_filter" }],
    // Callers of other formats are told that they do not get the word.
    ["oddly", { rawReason: "oddly", extension: responses({ incomplete_details: { reason: "oddly" } }) }],
  ])("knows an answer that was cut for %s", (reason, expected) => {
    const body = resource([message([said("a")])], { status: "incomplete", incomplete_details: { reason } });
    expect(answer(body)).toMatchObject({ finished: expected });
  });

  it.each([
    ["no JSON", "<html>", ErrorReason.STREAM_INTERRUPTED, "the upstream sent an answer that is not a JSON object"],
    [
      "a body that is cut off",
      resource([]).slice(0, -1),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream sent an answer that is not a JSON object",
    ],
    ["no output", "{}", ErrorReason.STREAM_INTERRUPTED, "the upstream ended its answer before it was complete"],
    [
      "an item that is none",
      '{"status":"completed","output":["a"]}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: output[0] is not an object",
    ],
    [
      "a part that is none",
      '{"status":"completed","output":[{"id":"msg_1","type":"message","content":["a"]}]}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: a part of a message is not an object",
    ],
    [
      "a text that is none",
      '{"status":"completed","output":[{"id":"msg_1","type":"message","content":[{"type":"output_text","text":["a"]}]}]}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: a part of the type text must be text",
    ],
    [
      "arguments that are none",
      '{"status":"completed","output":[{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":[1]}]}',
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: the arguments of a tool call must be text",
    ],
    [
      "a Response that goes on",
      resource([], { status: "in_progress" }),
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream ended its answer before it was complete",
    ],
    [
      "an error in place of a Response",
      '{"error":{"message":"Slow","code":"rate_limit_exceeded"}}',
      ErrorReason.RATE_LIMITED,
      "Slow",
    ],
    [
      "a flat error",
      '{"type":"error","code":"server_is_overloaded","message":"Busy"}',
      ErrorReason.UPSTREAM_OVERLOADED,
      "Busy",
    ],
    ["a detail", '{"detail":"No model"}', ErrorReason.UPSTREAM_ERROR, "No model"],
  ])("reports %s", (_name, body, reason, text) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ reason, message: text }));
  });

  it("reports a Response that failed, with the tokens that it took", () => {
    const error = { code: "cyber_policy", message: "No" };
    expect(() => decode(resource([], { status: "failed", error }))).toThrow(
      expect.objectContaining({
        reason: ErrorReason.CONTENT_FILTERED,
        message: "No",
        facts: expect.objectContaining({ usage: expect.objectContaining({ outputTokens: 5 }) }),
      }),
    );
  });
});
