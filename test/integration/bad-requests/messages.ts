import { type BadRequest, changed, modelNotFound, nested, type WrongBody, wrongBodies } from "./bad-request.ts";

const PATH = "/v1/messages";
const MODEL = "attune/claude-haiku-5-5";

/** A request that is right. */
export const GOOD_MESSAGES = { model: MODEL, max_tokens: 64, messages: [{ role: "user", content: "Hello" }] };

const raw = (member: string) => `{"model":"${MODEL}","messages":[{"role":"user","content":"x"}],${member}}`;
const user = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
const image = (source: object) => user({ type: "image", source });
const tool = (members: object = {}) => ({ name: "f", input_schema: { type: "object" }, ...members });
const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
const turns = (...turnContents: readonly (readonly unknown[])[]) => ({
  messages: turnContents.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })),
});
const hello = { type: "text", text: "Hello" };
const marked = { type: "text", text: "x", cache_control: { type: "ephemeral" } };

const MESSAGES: readonly WrongBody[] = [
  ["no messages", { messages: undefined }, "messages", "is required: an array"],
  ["messages that are an object", { messages: {} }, "messages", "must be an array, not an object"],
  ["messages that are empty", { messages: [] }, "messages", "must hold at least one message"],
  ["a message that is null", { messages: [null] }, "messages[0]", "is required: an object"],
  ["an empty role", { messages: [{ role: "", content: "x" }] }, "messages[0].role", "must be one of 'user'"],
  ["no content", { messages: [{ role: "user" }] }, "messages[0].content", "must be a string or an array of content"],
  ["empty content", { messages: [{ role: "user", content: "" }] }, "messages[0].content", "must not be empty"],
  ["a block without type", user({ text: "x" }), "messages[0].content[0].type", "is required: a string"],
  ["an empty text", user({ type: "text", text: "" }), "messages[0].content[0].text", "must not be empty"],
  ["thinking by the user", user({ type: "thinking" }), "messages[0].content[0]", "blocks of type 'thinking' belong in"],
  ["an image without source", user({ type: "image" }), "messages[0].content[0].source", "is required: an object"],
  [
    "an image whose source has no type",
    image({}),
    "messages[0].content[0].source.type",
    "is required: one of 'base64', 'url', 'file'",
  ],
  [
    "an image of no type",
    image({ type: "base64", data: "aGk=" }),
    "messages[0].content[0].source.media_type",
    "is required: a string",
  ],
  [
    "an image with a data: URL for bytes",
    image({ type: "base64", media_type: "image/png", data: "data:image/png;base64,aGk=" }),
    "messages[0].content[0].source.data",
    "must be base64 alone, without a 'data:' prefix",
  ],
  [
    "an image at a data: URL",
    image({ type: "url", url: "data:image/png;base64,aGk=" }),
    "messages[0].content[0].source.url",
    "must be an http or https address",
  ],
  ["a result without call", user(result("toolu_1")), "messages[0].content[0].tool_use_id", "no tool_use block"],
  [
    "a call without result",
    turns([hello], [use("t1")], [hello]),
    "messages[1].content[0]",
    "tool_use without a tool_result",
  ],
  [
    "a result that is not first",
    turns([hello], [use("t1")], [hello, result("t1")]),
    "messages[2].content[1]",
    "tool_result blocks must come first",
  ],
  [
    "two results of one call",
    turns([hello], [use("t1")], [result("t1"), result("t1")]),
    "messages[2].content[1].tool_use_id",
    "each tool_use has one result",
  ],
  [
    "two calls of one id",
    turns([hello], [use("t1"), use("t1")]),
    "messages[1].content[1].id",
    "tool_use ids must be unique",
  ],
  [
    "a call whose input is text",
    turns([hello], [{ ...use("t1"), input: "{}" }]),
    "messages[1].content[0].input",
    "must be an object, not a string",
  ],
  [
    "five cache marks",
    user(marked, marked, marked, marked, marked),
    "messages[0].content[4].cache_control",
    "a request may have at most 4 cache marks",
  ],
  [
    "an hour's mark after one of five minutes",
    user(marked, { ...marked, cache_control: { type: "ephemeral", ttl: "1h" } }),
    "messages[0].content[1].cache_control.ttl",
    "a mark of '1h' must not come after one of '5m'",
  ],
  [
    "a mark of no kind",
    user({ ...marked, cache_control: {} }),
    "messages[0].content[0].cache_control.type",
    "is required: one of 'ephemeral'",
  ],
];

const TOOLS: readonly WrongBody[] = [
  ["tools that are no array", { tools: {} }, "tools", "must be an array, not an object"],
  ["a tool without name", { tools: [tool({ name: undefined })] }, "tools[0].name", "is required: a string"],
  ["a tool with a space in its name", { tools: [tool({ name: "a b" })] }, "tools[0].name", "must have 1 to 128"],
  ["a tool without schema", { tools: [{ name: "f" }] }, "tools[0].input_schema", "is required: an object"],
  [
    "a schema of no object",
    { tools: [tool({ input_schema: {} })] },
    "tools[0].input_schema.type",
    "is required: one of",
  ],
  ["two tools of one name", { tools: [tool(), tool()] }, "tools[1].name", "tool names must be unique"],
  [
    "a schema of 10,000 levels",
    raw(`"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object","properties":${nested(10_000)}}}]`),
    null,
    "the body is nested deeper than 256 levels",
  ],
  ["a tool choice that is text", { tool_choice: "auto" }, "tool_choice", "must be an object, not a string"],
  ["a tool choice of no type", { tool_choice: { type: "" } }, "tool_choice.type", "must be one of 'auto', 'any'"],
  ["the choice of a tool without name", { tool_choice: { type: "tool" } }, "tool_choice.name", "is required: a string"],
];

const OPTIONS: readonly WrongBody[] = [
  ["no model", { model: undefined }, "model", "is required: a string"],
  ["a model that is an object", { model: {} }, "model", "must be a string, not an object"],
  ["a model that is empty", { model: "" }, "model", "must not be empty"],
  ["no max_tokens", { max_tokens: undefined }, "max_tokens", "is required: a whole number"],
  ["max_tokens below 0", { max_tokens: -1 }, "max_tokens", "must be at least 0, not -1"],
  ["max_tokens as text", { max_tokens: "64" }, "max_tokens", "must be a whole number, not a string"],
  ["max_tokens of 1e400", raw('"max_tokens":1e400'), "max_tokens", "must be a whole number"],
  ["max_tokens of 0 in a stream", { max_tokens: 0, stream: true }, "max_tokens", "must be at least 1 in a stream"],
  ["a container that is a number", { container: 5 }, "container", "must be a string or an object"],
  ["context management that is text", { context_management: "all" }, "context_management", "must be an object, not a"],
  ["metadata that is text", { metadata: "me" }, "metadata", "must be an object, not a string"],
  ["a user that is a number", { metadata: { user_id: 5 } }, "metadata.user_id", "must be a string, not a number"],
  ["stop sequences that are text", { stop_sequences: "x" }, "stop_sequences", "must be an array, not a string"],
  ["an empty stop sequence", { stop_sequences: ["x", ""] }, "stop_sequences[1]", "must not be empty"],
  [
    "8,192 stop sequences",
    { stop_sequences: Array(8192).fill("x") },
    "stop_sequences",
    "must contain no more than 8191",
  ],
  ["stream as text", { stream: "no" }, "stream", "must be true or false, not a string"],
  ["a system prompt that is a number", { system: 5 }, "system", "must be a string or an array of content blocks"],
  ["an image as system prompt", { system: [{ type: "image" }] }, "system[0].type", "system content is text only"],
  ["a temperature above 1", { temperature: 1.1 }, "temperature", "must be at most 1, not 1.1"],
  ["a temperature below 0", { temperature: -1 }, "temperature", "must be at least 0, not -1"],
  ["top_k below 0", { top_k: -1 }, "top_k", "must be at least 0, not -1"],
  ["top_k of 1.5", { top_k: 1.5 }, "top_k", "must be a whole number"],
  ["top_p above 1", { top_p: 2 }, "top_p", "must be at most 1, not 2"],
  ["thinking that is a boolean", { thinking: true }, "thinking", "must be an object, not a boolean"],
  [
    "thinking without budget",
    { thinking: { type: "enabled" } },
    "thinking.budget_tokens",
    "is required: a whole number",
  ],
  [
    "a budget below 1024",
    { thinking: { type: "enabled", budget_tokens: 9 } },
    "thinking.budget_tokens",
    "must be at least 1024, not 9",
  ],
  ["an effort that is a number", { output_config: { effort: 9 } }, "output_config.effort", "must be one of"],
];

/** Bad requests of Messages. */
export const MESSAGES_REQUESTS: readonly BadRequest[] = [
  ...wrongBodies(PATH, GOOD_MESSAGES, [...MESSAGES, ...TOOLS, ...OPTIONS]),
  {
    what: "an unknown model",
    method: "POST",
    path: PATH,
    body: changed(GOOD_MESSAGES, { model: "claude-haiku-5", stream: true }),
    expected: modelNotFound("the model 'claude-haiku-5' does not exist here; these do: attune/gpt-6-astra"),
  },
];
