import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema, Role, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { listLosses } from "../../../src/upstream/sandbox/list-losses.ts";
import { call, type InputInit, inputOf, text, tool, user } from "./harness.ts";

const raw = (dialect: Dialect, value: object) => create(RawJsonSchema, { dialect, json: JSON.stringify(value) });
const chat = (value: object) => raw(Dialect.CHAT, value);
const responses = (value: object) => raw(Dialect.RESPONSES, value);
const messages = (value: object) => raw(Dialect.MESSAGES, value);

const TABLE: readonly (readonly [string, InputInit, readonly string[]])[] = [
  ["nothing of a plain request", {}, []],
  [
    "nothing that has no effect on an answer that is always the same",
    {
      dialect: Dialect.CHAT,
      temperature: 1,
      topP: 0.5,
      topK: 3,
      promptCacheKey: "k",
      endUserId: "u",
      metadata: { a: "b" },
      automaticCacheMark: {},
      extension: chat({
        max_tokens: 5,
        seed: 1,
        presence_penalty: 1,
        frequency_penalty: 1,
        user: "u",
        store: false,
        audio: null,
      }),
    },
    [],
  ],
  [
    "what only the Messages format knows",
    { dialect: Dialect.MESSAGES, extension: messages({ container: "c", context_management: { edits: [] } }) },
    ["extension.container", "extension.context_management"],
  ],
  [
    "what only the Chat format knows",
    { dialect: Dialect.CHAT, logprobs: true, topLogprobs: 2, extension: chat({ store: true, logit_bias: { 1: 2 } }) },
    ["extension.store", "extension.logit_bias", "logprobs", "top_logprobs"],
  ],
  [
    "nothing of reasoning that is included",
    { dialect: Dialect.RESPONSES, extension: responses({ include: ["reasoning.encrypted_content"] }) },
    [],
  ],
  [
    "other things that are to be included",
    { dialect: Dialect.RESPONSES, extension: responses({ include: ["file_search_call.results"] }) },
    ["extension.include"],
  ],
  ["the wish for a length", { verbosity: "low" }, ["verbosity"]],
  [
    "members of reasoning",
    { dialect: Dialect.RESPONSES, reasoning: { extension: responses({ context: "auto" }) } },
    ["reasoning.extension.context"],
  ],
  [
    "members of thinking",
    { dialect: Dialect.MESSAGES, reasoning: { extension: messages({ x: 1 }) } },
    ["reasoning.extension.x"],
  ],
  [
    "a choice that only one format knows",
    {
      dialect: Dialect.RESPONSES,
      toolChoice: { mode: ToolChoiceMode.OPAQUE, opaque: responses({ type: "web_search" }) },
    },
    ["tool_choice"],
  ],
  [
    "hosted tools and grammars",
    {
      dialect: Dialect.RESPONSES,
      tools: [
        { kind: { case: "opaque", value: responses({ type: "web_search" }) } },
        { kind: { case: "custom", value: { name: "c", formatJson: '{"type":"grammar"}' } } },
        { kind: { case: "custom", value: { name: "d", formatJson: '{"type":"text"}' } } },
        { ...tool("f"), extension: responses({ defer_loading: true }) },
      ],
    },
    ["tools[0]", "tools[1].format_json", "tools[3].extension.defer_loading"],
  ],
  [
    "a grammar of the Chat format",
    {
      dialect: Dialect.CHAT,
      tools: [{ kind: { case: "custom", value: { name: "c", formatJson: '{"type":"grammar"}' } } }],
    },
    ["tools[0].format_json"],
  ],
  [
    "blocks and their members, wherever they are",
    {
      dialect: Dialect.MESSAGES,
      system: [{ ...text("s"), extension: messages({ citations: [{}] }) }],
      messages: [
        user({ kind: { case: "opaque", value: messages({ type: "search_result" }) } }, "a"),
        {
          ...user({
            kind: {
              case: "toolResult",
              value: {
                toolUseId: "1",
                content: [text("x"), { kind: { case: "opaque", value: messages({ type: "t" }) } }],
              },
            },
          }),
          extension: messages({ tag: 1 }),
        },
      ],
    },
    [
      "system[0].extension.citations",
      "messages[0].content[0]",
      "messages[1].extension.tag",
      "messages[1].content[0].content[1]",
    ],
  ],
  [
    "items of the Responses format",
    {
      dialect: Dialect.RESPONSES,
      messages: [
        {
          role: Role.UNSPECIFIED,
          content: [{ kind: { case: "opaque", value: responses({ type: "item_reference" }) } }],
        },
        { ...call("1", "f"), extension: responses({ status: "completed" }) },
        user({ ...text("a"), extension: responses({ annotations: [{}] }) }),
      ],
    },
    ["messages[0]", "messages[2].content[0].extension.annotations"],
  ],
];

describe("listLosses()", () => {
  it.each(TABLE)("lists %s", (_name, init, losses) => {
    expect(listLosses(inputOf(init))).toEqual(losses);
  });
});
