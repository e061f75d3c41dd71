import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../../src/formats/messages/request/decode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { WireError } from "../../../../src/formats/shared/read.ts";

const MARK = { type: "ephemeral" };
const HOUR = { type: "ephemeral", ttl: "1h" };
const USER = { role: "user", content: "Hi" };
const TOOL = { name: "f", input_schema: { type: "object" } };
const CALL = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
const RESULT = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };

const content = (...blocks: unknown[]) => ({ messages: [{ role: "user", content: blocks }] });
const answered = (...blocks: unknown[]) => ({ messages: [USER, { role: "assistant", content: blocks }] });
const looped = (calls: unknown[], results: unknown[]) => ({
  messages: [USER, { role: "assistant", content: calls }, { role: "user", content: results }],
});
const text = (index: number, cache_control: unknown = MARK) => ({ type: "text", text: `t${index}`, cache_control });

/** What is wrong, the request's members, the whole message. */
const BAD: readonly [string, JsonObject, string][] = [
  ["no model", { model: undefined }, "model: is required: a string"],
  ["a model that is a number", { model: 3 }, "model: must be a string, not a number"],
  ["an empty model", { model: "" }, "model: must not be empty"],
  ["no limit", { max_tokens: undefined }, "max_tokens: is required: a whole number"],
  ["a negative limit", { max_tokens: -1 }, "max_tokens: must be at least 0, not -1"],
  ["a fraction of a token", { max_tokens: 1.5 }, "max_tokens: must be a whole number, not 1.5"],
  [
    "a stream of nothing",
    { max_tokens: 0, stream: true },
    "max_tokens: must be at least 1 in a stream; 0 fills the prompt cache, without a stream",
  ],
  ["stream as a word", { stream: "yes" }, "stream: must be true or false, not a string"],
  ["a temperature above 1", { temperature: 1.1 }, "temperature: must be at most 1, not 1.1"],
  ["top_p below 0", { top_p: -0.1 }, "top_p: must be at least 0, not -0.1"],
  ["top_k below 0", { top_k: -1 }, "top_k: must be at least 0, not -1"],
  ["an empty stop sequence", { stop_sequences: ["a", ""] }, "stop_sequences[1]: must not be empty; leave it out"],
  ["stop as a string", { stop_sequences: "END" }, "stop_sequences: must be an array, not a string"],
  ["a user id that is a number", { metadata: { user_id: 1 } }, "metadata.user_id: must be a string, not a number"],
  ["no messages", { messages: undefined }, "messages: is required: an array"],
  ["an empty conversation", { messages: [] }, "messages: must hold at least one message"],
  [
    "a system message at the start",
    { messages: [{ role: "system", content: "x" }, USER] },
    "messages[0].role: the first message must be of role 'user' or 'assistant', not 'system'; send the system prompt as 'system'",
  ],
  [
    "a role that is a number",
    { messages: [USER, { role: 1, content: "x" }] },
    "messages[1].role: must be one of 'user', 'assistant', 'system', not a number",
  ],
  [
    "empty content",
    { messages: [{ role: "user", content: "" }] },
    "messages[0].content: must not be empty; only an assistant message may be",
  ],
  [
    "content that is an object",
    { messages: [{ role: "user", content: { type: "text", text: "x" } }] },
    "messages[0].content: must be a string or an array of content blocks",
  ],
  ["a block without a type", content({ text: "x" }), "messages[0].content[0].type: is required: a string"],
  [
    "an empty text block",
    content({ type: "text", text: "" }),
    "messages[0].content[0].text: must not be empty; leave the block out",
  ],
  [
    "a mark on an empty text block",
    content({ type: "text", text: "", cache_control: MARK }),
    "messages[0].content[0].cache_control: an empty text block cannot carry a cache mark; remove it",
  ],
  [
    "an image of no type",
    content({ type: "image", source: { type: "base64", media_type: "", data: "AAAA" } }),
    "messages[0].content[0].source.media_type: must not be empty",
  ],
  [
    "an image with a data: prefix",
    content({ type: "image", source: { type: "base64", media_type: "image/png", data: "data:image/png;base64,AA" } }),
    "messages[0].content[0].source.data: must be base64 alone, without a 'data:' prefix",
  ],
  [
    "an image address that is none",
    content({ type: "image", source: { type: "url", url: "data:image/png;base64,AA" } }),
    "messages[0].content[0].source.url: must be an http or https address; send the bytes with a source of type 'base64'",
  ],
  [
    "an image source without a type",
    content({ type: "image", source: {} }),
    "messages[0].content[0].source.type: is required: one of 'base64', 'url', 'file'",
  ],
  ["an image without a source", content({ type: "image" }), "messages[0].content[0].source: is required: an object"],
  [
    "a document whose type is a number",
    content({ type: "document", source: { type: "base64", media_type: 7, data: "AAAA" } }),
    "messages[0].content[0].source.media_type: must be a string, not a number",
  ],
  [
    "a tool call in the document's content",
    content({ type: "document", source: { type: "content", content: [CALL] } }),
    "messages[0].content[0].source.content[0]: blocks of type 'tool_use' belong in messages of role 'assistant'",
  ],
  [
    "a tool call of the user",
    content(CALL),
    "messages[0].content[0]: blocks of type 'tool_use' belong in messages of role 'assistant'",
  ],
  [
    "a tool result of the assistant",
    answered(RESULT),
    "messages[1].content[0]: blocks of type 'tool_result' belong in messages of role 'user'",
  ],
  [
    "thinking without a signature",
    answered({ type: "thinking", thinking: "x" }),
    "messages[1].content[0].signature: is required: a string",
  ],
  [
    "a mark on thinking",
    answered({ type: "thinking", thinking: "x", signature: "s", cache_control: MARK }),
    "messages[1].content[0].cache_control: thinking blocks cannot carry a cache mark; move it to the block before or after",
  ],
  [
    "a mark on redacted thinking",
    answered({ type: "redacted_thinking", data: "x", cache_control: MARK }),
    "messages[1].content[0].cache_control: thinking blocks cannot carry a cache mark; move it to the block before or after",
  ],
  [
    "a tool's input as text",
    answered({ ...CALL, input: "{}" }),
    "messages[1].content[0].input: must be an object, not a string",
  ],
  [
    "a call without its result",
    answered(CALL),
    "messages[1].content[0]: tool_use without a tool_result in the next message: 'toolu_1'; add a tool_result block for each",
  ],
  [
    "a call that is answered by text",
    looped([CALL], [{ type: "text", text: "no" }]),
    "messages[1].content[0]: tool_use without a tool_result in the next message: 'toolu_1'; add a tool_result block for each",
  ],
  [
    "a result without its call",
    content(RESULT),
    "messages[0].content[0].tool_use_id: no tool_use block of the previous assistant message has the id 'toolu_1'; each tool_result must answer one",
  ],
  [
    "a result after text",
    looped([CALL], [{ type: "text", text: "x" }, RESULT]),
    "messages[2].content[1]: tool_result blocks must come first in their message; move it to the front",
  ],
  [
    "two results of one call",
    looped([CALL], [RESULT, RESULT]),
    "messages[2].content[1].tool_use_id: each tool_use has one result, and 'toolu_1' has two; merge them",
  ],
  [
    "two calls of one id",
    answered(CALL, CALL),
    "messages[1].content[1].id: tool_use ids must be unique, and 'toolu_1' is there twice",
  ],
  [
    "an image as the system prompt",
    { system: [{ type: "image", source: {} }] },
    "system[0].type: system content is text only: use a block of type 'text', not 'image'",
  ],
  [
    "an image in a system message",
    { messages: [USER, { role: "system", content: [{ type: "image", source: {} }] }] },
    "messages[1].content[0].type: system content is text only: use a block of type 'text', not 'image'",
  ],
  ["a tool without a schema", { tools: [{ name: "f" }] }, "tools[0].input_schema: is required: an object"],
  [
    "a tool that takes a list",
    { tools: [{ name: "f", input_schema: { type: "array" } }] },
    "tools[0].input_schema.type: must be one of 'object', not 'array'",
  ],
  [
    "a tool name with a dot",
    { tools: [{ ...TOOL, name: "a.b" }] },
    "tools[0].name: must have 1 to 128 characters out of a-z, A-Z, 0-9, _ and -",
  ],
  [
    "two tools of one name",
    { tools: [TOOL, TOOL] },
    "tools[1].name: tool names must be unique, and 'f' is there twice",
  ],
  [
    "a choice without a type",
    { tool_choice: {} },
    "tool_choice.type: is required: one of 'auto', 'any', 'tool', 'none'",
  ],
  ["a choice of no tool", { tool_choice: { type: "tool" } }, "tool_choice.name: is required: a string"],
  [
    "parallel calls of nothing",
    { tool_choice: { type: "none", disable_parallel_tool_use: true } },
    "tool_choice.disable_parallel_tool_use: does not go with a choice of type 'none'; remove it",
  ],
  [
    "a small thinking budget",
    { thinking: { type: "enabled", budget_tokens: 1023 } },
    "thinking.budget_tokens: must be at least 1024, not 1023",
  ],
  [
    "thinking whose type is a boolean",
    { thinking: { type: true } },
    "thinking.type: must be one of 'enabled', 'adaptive', 'disabled', 'between_tools', not a boolean",
  ],
  [
    "a budget that is a text in thinking of a new type",
    { thinking: { type: "deep", budget_tokens: "2048" } },
    "thinking.budget_tokens: must be a whole number, not a string",
  ],
  [
    "a display that is empty",
    { thinking: { type: "adaptive", display: "" } },
    "thinking.display: must be one of 'summarized', 'omitted', not ''",
  ],
  [
    "an effort that is a number",
    { output_config: { effort: 9 } },
    "output_config.effort: must be one of 'low', 'medium', 'high', 'xhigh', 'max', not a number",
  ],
  [
    "a format without a type",
    { output_config: { format: { schema: {} } } },
    "output_config.format.type: is required: one of 'json_schema'",
  ],
  [
    "a format without a schema",
    { output_config: { format: { type: "json_schema" } } },
    "output_config.format.schema: is required: an object",
  ],
  [
    "a mark of no kind",
    content(text(0, { ttl: "5m" })),
    "messages[0].content[0].cache_control.type: is required: one of 'ephemeral'",
  ],
  [
    "a lifetime that is a number",
    content(text(0, { type: "ephemeral", ttl: 300 })),
    "messages[0].content[0].cache_control.ttl: must be one of '5m', '1h', not a number",
  ],
  [
    "a fifth mark",
    content(text(0), text(1), text(2), text(3), text(4)),
    "messages[0].content[4].cache_control: a request may have at most 4 cache marks, and this one has 5; remove this mark or another one",
  ],
  [
    "four marks and an automatic one",
    { ...content(text(0), text(1), text(2), text(3)), cache_control: MARK },
    "cache_control: a request may have at most 4 cache marks, and this one has 5; remove this mark or another one",
  ],
  [
    "a long mark after a short one",
    { system: [text(0)], ...content(text(1, HOUR)) },
    "messages[0].content[0].cache_control.ttl: a mark of '1h' must not come after one of '5m', which is at system[0].cache_control; the order is tools, system, messages",
  ],
  [
    "a long automatic mark after a short tool mark",
    { tools: [{ ...TOOL, cache_control: MARK }], cache_control: HOUR },
    "cache_control.ttl: a mark of '1h' must not come after one of '5m', which is at tools[0].cache_control; the order is tools, system, messages",
  ],
  [
    "a fifth mark inside a result and on an unknown block",
    looped(
      [CALL],
      [
        { ...RESULT, content: [text(0), text(1)], cache_control: MARK },
        { type: "browser_state", cache_control: MARK },
        text(2),
      ],
    ),
    "messages[2].content[2].cache_control: a request may have at most 4 cache marks, and this one has 5; remove this mark or another one",
  ],
];

/** Message of the WireError that a body leads to. */
function problem(body: JsonObject): string {
  try {
    decodeRequest(body);
  } catch (thrown) {
    if (thrown instanceof WireError) return thrown.message;
    throw thrown;
  }
  return "accepted";
}

describe("decodeRequest()", () => {
  it.each(BAD)("refuses %s", (_what, members, message) => {
    expect(problem({ model: "m", max_tokens: 8, messages: [USER], ...members })).toBe(message);
  });

  it("takes a long mark before a short one, and four marks", () => {
    const { input } = decodeRequest({
      model: "m",
      max_tokens: 8,
      tools: [{ ...TOOL, cache_control: HOUR }],
      ...content(text(0), text(1)),
      cache_control: MARK,
    });
    expect(input.automaticCacheMark).toBeDefined();
  });

  it("pairs calls and results over neighbouring messages of one role", () => {
    const second = { ...CALL, id: "toolu_2" };
    const messages = [
      USER,
      { role: "assistant", content: [CALL] },
      { role: "assistant", content: [second] },
      { role: "user", content: [{ ...RESULT, tool_use_id: "toolu_2" }] },
      { role: "user", content: [RESULT] },
      { role: "assistant", content: [] },
    ];
    expect(decodeRequest({ model: "m", max_tokens: 8, messages }).input.messages).toHaveLength(6);
  });
});
