import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { createEventDecoder as ofChat } from "../../src/formats/chat/answer/decode-events.ts";
import { createEventDecoder as ofMessages } from "../../src/formats/messages/answer/decode-events.ts";
import { createEventDecoder as ofResponses } from "../../src/formats/responses/answer/decode-events.ts";

const call = { id: "c1", type: "function", function: { name: "", arguments: "{}" } };
const chat = {
  choices: [{ index: 0, finish_reason: "tool_calls", message: { role: "assistant", tool_calls: [call] } }],
};
const output = [{ type: "function_call", id: "fc_1", call_id: "c1", name: null, arguments: "{}" }];
const content = [{ type: "tool_use", id: "t1", input: {} }];

describe("a whole answer with a call that has no name", () => {
  it.each([
    ["Chat", ofChat, { object: "chat.completion", ...chat }],
    ["Responses", ofResponses, { object: "response", status: "completed", output }],
    ["Messages", ofMessages, { type: "message", role: "assistant", content, stop_reason: "tool_use" }],
  ])("is broken: %s", (_format, create, answer) => {
    expect(() => create(Dialect.CHAT).decodeWhole(JSON.stringify(answer))).toThrow("a tool call has no name");
  });
});
