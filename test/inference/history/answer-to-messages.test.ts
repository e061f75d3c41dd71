import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Dialect, MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { answerToMessages } from "../../../src/inference/history/answer-to-messages.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const text = (value: string, itemId = "") => ({ kind: { case: "text" as const, value: { text: value } }, itemId });
const responses = (json: string) => ({ dialect: Dialect.RESPONSES, json });
const said = (json: string) => ({ dialect: "DIALECT_RESPONSES", json });

function turn(...content: Block[]): unknown[] {
  return answerToMessages(create(GenerateResponseSchema, { content })).map((message) => toJson(MessageSchema, message));
}

describe("answerToMessages()", () => {
  const cases: [name: string, blocks: Block[], messages: unknown[]][] = [
    ["nothing", [], []],
    [
      "neighbouring texts as one message",
      [text("a"), text("b")],
      [{ role: "ROLE_ASSISTANT", content: [{ text: { text: "a" } }, { text: { text: "b" } }] }],
    ],
    ["no text without words", [text("")], []],
    [
      "texts of two items as two messages with their ids and states",
      [text("a", "msg_1"), text("", "msg_2")],
      [
        {
          role: "ROLE_ASSISTANT",
          id: "msg_1",
          extension: said('{"status":"completed"}'),
          content: [{ text: { text: "a" }, itemId: "msg_1" }],
        },
        {
          role: "ROLE_ASSISTANT",
          id: "msg_2",
          extension: said('{"status":"completed"}'),
          content: [{ text: {}, itemId: "msg_2" }],
        },
      ],
    ],
    [
      "reasoning and calls alone",
      [
        { kind: { case: "thinking", value: { summary: ["s"], opaque: "sealed" } } },
        { kind: { case: "toolUse", value: { id: "1", name: "f", arguments: "{}" } } },
        { kind: { case: "toolUse", value: { id: "2", name: "f", arguments: "{}" } } },
      ],
      [
        { role: "ROLE_ASSISTANT", content: [{ thinking: { summary: ["s"], opaque: "sealed" } }] },
        { role: "ROLE_ASSISTANT", content: [{ toolUse: { id: "1", name: "f", arguments: "{}" } }] },
        { role: "ROLE_ASSISTANT", content: [{ toolUse: { id: "2", name: "f", arguments: "{}" } }] },
      ],
    ],
    [
      "reasoning with an id without a state",
      [{ kind: { case: "thinking", value: { id: "rs_1", opaque: "sealed" } }, itemId: "rs_1" }],
      [
        {
          role: "ROLE_ASSISTANT",
          id: "rs_1",
          content: [{ thinking: { id: "rs_1", opaque: "sealed" }, itemId: "rs_1" }],
        },
      ],
    ],
    [
      "what the item said early and late, and not on its part",
      [
        {
          ...text("a", "msg_1"),
          itemExtension: responses('{"phase":"final_answer"}'),
          extension: responses('{"annotations":[1],"$item":{"status":"incomplete"}}'),
        },
      ],
      [
        {
          role: "ROLE_ASSISTANT",
          id: "msg_1",
          extension: said('{"phase":"final_answer","status":"incomplete"}'),
          content: [{ text: { text: "a" }, itemId: "msg_1", extension: said('{"annotations":[1]}') }],
        },
      ],
    ],
    [
      "a late word as the only one of its part",
      [{ ...text("a", "msg_1"), extension: responses('{"$item":{"phase":"commentary"}}') }],
      [
        {
          role: "ROLE_ASSISTANT",
          id: "msg_1",
          extension: said('{"status":"completed","phase":"commentary"}'),
          content: [{ text: { text: "a" }, itemId: "msg_1" }],
        },
      ],
    ],
    [
      "an item that only Responses knows without a role",
      [{ kind: { case: "opaque", value: responses('{"type":"web_search_call","id":"ws_1"}') } }],
      [{ content: [{ opaque: said('{"type":"web_search_call","id":"ws_1"}') }] }],
    ],
    [
      "a block that only Messages knows as the assistant's",
      [{ kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"type":"server_tool_use"}' } } }],
      [
        {
          role: "ROLE_ASSISTANT",
          content: [{ opaque: { dialect: "DIALECT_MESSAGES", json: '{"type":"server_tool_use"}' } }],
        },
      ],
    ],
  ];

  it("keeps the two blocks of a web search of Messages together", () => {
    const block = (value: object) => ({
      kind: { case: "opaque" as const, value: { dialect: Dialect.MESSAGES, json: JSON.stringify(value) } },
    });
    const call = (id: string) => block({ type: "server_tool_use", id, name: "web_search", input: { query: "q" } });
    const result = block({ type: "web_search_tool_result", tool_use_id: "a", content: [] });
    expect(turn(call("a"), result, call("b"))).toMatchObject([{ content: [{}, {}] }, { content: [{}] }]);
  });

  it.each(cases)("repeats %s", (_name, blocks, messages) => {
    expect(turn(...blocks)).toEqual(messages);
  });
});
