import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder as createMessagesDecoder } from "../../../src/formats/messages/answer/decode-events.ts";
import { createEventDecoder as createResponsesDecoder } from "../../../src/formats/responses/answer/decode-events.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";

function contentOf(events: readonly GenerateEvent[]): unknown {
  const fold = new ResponseFold();
  for (const event of events) fold.add(event);
  return fold.response.content.map((block) => toJson(ContentBlockSchema, block));
}

function fromMessages(content: unknown): unknown {
  const message = { type: "message", role: "assistant", model: "up", content, stop_reason: "end_turn" };
  return contentOf(createMessagesDecoder(Dialect.CHAT).decodeWhole(JSON.stringify(message)));
}

function fromResponses(...output: object[]): unknown {
  return contentOf(createResponsesDecoder(Dialect.CHAT).decodeWhole(JSON.stringify({ status: "completed", output })));
}

const text = (value: string) => expect.objectContaining({ text: { text: value } });
const call = expect.objectContaining({ toolUse: expect.objectContaining({ name: "look", arguments: '{"q":"x"}' }) });

// What servers write in place of the members that OpenAI's and Anthropic's references have. Each was an answer that
// was refused as broken, or an empty one.
describe("answers in the shapes of other formats", () => {
  it.each([
    ["one text", "Hi", [text("Hi")]],
    ["null", null, []],
    ["nothing", undefined, []],
    ["no text", "", []],
  ])("reads %s in place of the blocks of Messages", (_name, content, expected) => {
    expect(fromMessages(content)).toEqual(expected);
  });

  it("reads the input of a tool of Messages that is text, and refuses one that is no JSON", () => {
    const use = (input: string) => [{ type: "tool_use", id: "c1", name: "look", input }];
    expect(fromMessages(use('{"q":"x"}'))).toEqual([call]);
    expect(() => fromMessages(use("q=x"))).toThrow("the input of a tool call is not an object");
  });

  it("reads a message of Responses whose content is one text, or has parts of the type text", () => {
    const message = (content: unknown) => ({ type: "message", id: "m1", role: "assistant", content });
    expect(fromResponses(message("Hi"))).toEqual([text("Hi")]);
    expect(fromResponses(message([{ type: "text", text: "Hi" }]))).toEqual([text("Hi")]);
  });

  it("reads arguments of Responses that are an object, whole and streamed", () => {
    const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: { q: "x" } };
    expect(fromResponses(item)).toEqual([call]);
    const decoder = createResponsesDecoder(Dialect.CHAT);
    const events = [
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: { q: "x" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { status: "completed", output: [item] } },
    ].flatMap((event) => decoder.decode({ event: event.type, data: JSON.stringify(event) }));
    expect(contentOf(events)).toEqual([call]);
  });
});
