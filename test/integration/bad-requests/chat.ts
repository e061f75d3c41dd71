import {
  type BadRequest,
  changed,
  invalid,
  MANY_LABELS,
  modelNotFound,
  nested,
  type WrongBody,
  wrongBodies,
} from "./bad-request.ts";

const PATH = "/v1/chat/completions";

/** A request that is right. */
export const GOOD_CHAT = { model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] };

const user = (content: unknown) => ({ messages: [{ role: "user", content }] });
const part = (content: object) => user([content]);
const assistant = (members: object) => ({ messages: [GOOD_CHAT.messages[0], { role: "assistant", ...members }] });
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const called = (change: object) => assistant({ tool_calls: [{ ...call, ...change }] });
const tool = (name: unknown, members: object = {}) => ({ type: "function", function: { name, ...members } });
const raw = (member: string) => `{"model":"attune/gpt-6-astra","messages":[{"role":"user","content":"x"}],${member}}`;

const UNCALLED = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });

const MESSAGES: readonly WrongBody[] = [
  ["a result without a call", { messages: [result("call_1")] }, "messages[0].tool_call_id", UNCALLED],
  [
    "a result before its call",
    { messages: [result("call_1"), ...assistant({ tool_calls: [call] }).messages] },
    "messages[0].tool_call_id",
    UNCALLED,
  ],
  [
    "a result of another call",
    { messages: [...assistant({ tool_calls: [call] }).messages, result("call_2")] },
    "messages[2].tool_call_id",
    UNCALLED,
  ],
  ["no messages", { messages: undefined }, "messages", "is required: an array"],
  ["messages that are null", { messages: null }, "messages", "is required: an array"],
  ["messages that are a text", { messages: "Hello" }, "messages", "must be an array, not a string"],
  ["messages that are empty", { messages: [] }, "messages", "must have at least one message"],
  ["a message that is a number", { messages: [5] }, "messages[0]", "must be an object, not a number"],
  ["a message without role", { messages: [{ content: "x" }] }, "messages[0].role", "is required: one of 'system'"],
  ["an empty role", { messages: [{ role: "", content: "x" }] }, "messages[0].role", "must be one of 'system'"],
  [
    "the result of a function without its name",
    { messages: [{ role: "function" }] },
    "messages[0].name",
    "is required: a string",
  ],
  ["no content", user(undefined), "messages[0].content", "is required: a string or an array of parts"],
  ["content that is a number", user(5), "messages[0].content", "must be a string or an array of parts"],
  ["a part that is a text", user(["x"]), "messages[0].content[0]", "must be an object, not a string"],
  ["a part without type", part({ text: "x" }), "messages[0].content[0].type", "is required: a string"],
  ["a text part without text", part({ type: "text" }), "messages[0].content[0].text", "is required: a string"],
  ["a refusal by the user", part({ type: "refusal" }), "messages[0].content[0].type", "must be one of 'text'"],
  ["an image without URL", part({ type: "image_url" }), "messages[0].content[0].image_url", "is required: an object"],
  [
    "an image at a path",
    part({ type: "image_url", image_url: { url: "/etc/passwd" } }),
    "messages[0].content[0].image_url.url",
    "must begin with 'https://', 'http://' or 'data:'",
  ],
  [
    "a data: URL without comma",
    part({ type: "image_url", image_url: { url: "data:image/png;base64" } }),
    "messages[0].content[0].image_url.url",
    "must be a data: URL such as",
  ],
  [
    "a data: URL that is not base64",
    part({ type: "image_url", image_url: { url: "data:image/png;base64,***" } }),
    "messages[0].content[0].image_url.url",
    "must be a data: URL such as",
  ],
  [
    "a detail that is a number",
    part({ type: "image_url", image_url: { url: "https://a.b/c.png", detail: 1 } }),
    "messages[0].content[0].image_url.detail",
    "must be one of 'auto', 'low', 'high', 'original', not a number",
  ],
  [
    "audio without data",
    part({ type: "input_audio", input_audio: { format: "wav" } }),
    "messages[0].content[0].input_audio.data",
    "is required: a string",
  ],
  [
    "a file with two sources",
    part({ type: "file", file: { file_id: "file_1", file_data: "aGk=" } }),
    "messages[0].content[0].file",
    "must have either file_data or file_id, and not both",
  ],
  ["a function_call without a name", assistant({ function_call: {} }), "messages[1].function_call.name", "is required"],
  ["tool calls that are no array", assistant({ tool_calls: {} }), "messages[1].tool_calls", "must be an array"],
  ["a call without id", called({ id: undefined }), "messages[1].tool_calls[0].id", "is required: a string"],
  ["a call whose type is a number", called({ type: 1 }), "messages[1].tool_calls[0].type", "must be one of 'function'"],
  ["a call without function", called({ function: null }), "messages[1].tool_calls[0].function", "is required"],
  [
    "arguments that are an object",
    called({ function: { name: "f", arguments: {} } }),
    "messages[1].tool_calls[0].function.arguments",
    "must be a string, not an object",
  ],
  [
    "a tool result without the id of its call",
    { messages: [...GOOD_CHAT.messages, { role: "tool", content: "x" }] },
    "messages[1].tool_call_id",
    "is required: a string",
  ],
];

const TOOLS: readonly WrongBody[] = [
  ["tools that are no array", { tools: {} }, "tools", "must be an array, not an object"],
  ["a tool without type", { tools: [{}] }, "tools[0].type", "is required: a string"],
  ["a tool without function", { tools: [{ type: "function" }] }, "tools[0].function", "is required: an object"],
  ["a tool without name", { tools: [tool(undefined)] }, "tools[0].function.name", "is required: a string"],
  ["a tool with an empty name", { tools: [tool("")] }, "tools[0].function.name", "must not be empty"],
  [
    "a schema that is text",
    { tools: [tool("f", { parameters: "{}" })] },
    "tools[0].function.parameters",
    "must be an o",
  ],
  [
    "strict that is text",
    { tools: [tool("f", { strict: "yes" })] },
    "tools[0].function.strict",
    "must be true or false",
  ],
  [
    "two tools of one name",
    { tools: [tool("f"), tool("f")] },
    "tools[1]",
    "has the name 'f', which another tool has too",
  ],
  [
    "a schema of 10,000 levels",
    raw(`"tools":[{"type":"function","function":{"name":"f","parameters":${nested(10_000)}}}]`),
    null,
    "the body is nested deeper than 256 levels",
  ],
  ["an empty tool choice", { tool_choice: "" }, "tool_choice", "must be one of 'none', 'auto', 'required'"],
  ["a tool choice that is a number", { tool_choice: 5 }, "tool_choice", "must be an object, not a number"],
  ["a tool choice without type", { tool_choice: {} }, "tool_choice.type", "is required: a string"],
  [
    "the choice of a tool that is not there",
    { tools: [tool("f")], tool_choice: { type: "function", function: { name: "g" } } },
    "tool_choice.function.name",
    "'g' is not among the tools",
  ],
];

const OPTIONS: readonly WrongBody[] = [
  ["no model", { model: undefined }, "model", "is required: a string"],
  ["a model that is a number", { model: 5 }, "model", "must be a string, not a number"],
  ["a model that is empty", { model: "" }, "model", "must not be empty"],
  ["a model of 300 characters", { model: "m".repeat(300) }, "model", "must be at most 256 characters"],
  [
    "an unknown test directive",
    { model: "attune/gpt-6-astra:sandbox-dance" },
    "model",
    "the sandbox does not know this directive",
  ],
  ["max_completion_tokens of 0", { max_completion_tokens: 0 }, "max_completion_tokens", "must be at least 1, not 0"],
  ["max_completion_tokens as text", { max_completion_tokens: "9" }, "max_completion_tokens", "must be a whole number"],
  ["max_completion_tokens of 1.5", { max_completion_tokens: 1.5 }, "max_completion_tokens", "must be a whole number"],
  ["max_completion_tokens of 1e400", raw('"max_completion_tokens":1e400'), "max_completion_tokens", "must be a whole"],
  [
    "max_completion_tokens of 3e9",
    { max_completion_tokens: 3e9 },
    "max_completion_tokens",
    "must be at most 2147483647",
  ],
  [
    "max_completion_tokens of 40 digits",
    raw(`"max_completion_tokens":${"9".repeat(40)}`),
    "max_completion_tokens",
    "must",
  ],
  ["max_tokens below 1", { max_tokens: -1 }, "max_tokens", "must be at least 1, not -1"],
  ["an empty effort", { reasoning_effort: "" }, "reasoning_effort", "must be one of 'none', 'minimal', 'low'"],
  ["an effort that is a number", { reasoning_effort: 3 }, "reasoning_effort", "must be one of"],
  ["stream as text", { stream: "true" }, "stream", "must be true or false, not a string"],
  [
    "stream options without stream",
    { stream_options: { include_usage: true } },
    "stream_options",
    "is for streams only",
  ],
  ["a temperature above 2", { temperature: 2.1 }, "temperature", "must be at most 2, not 2.1"],
  ["a temperature below 0", { temperature: -0.1 }, "temperature", "must be at least 0, not -0.1"],
  ["a temperature as text", { temperature: "1" }, "temperature", "must be a number, not a string"],
  ["a temperature of 1e400", raw('"temperature":1e400'), "temperature", "must be a number"],
  ["top_p above 1", { top_p: 1.5 }, "top_p", "must be at most 1, not 1.5"],
  ["n of 9", { n: 9 }, "n", "must be at most 8: send several requests for more answers"],
  ["five stop texts", { stop: ["1", "2", "3", "4", "5"] }, "stop", "must have at most 4 texts, not 5"],
  ["an empty stop text", { stop: [""] }, "stop[0]", "must not be empty"],
  ["a stop that is a number", { stop: 5 }, "stop", "must be a string or an array of strings"],
  ["functions beside tools", { functions: [], tools: [] }, "functions", "cannot be combined with tools"],
  ["audio as an answer", { modalities: ["text", "audio"] }, "modalities[1]", "must be 'text'"],
  ["a form that is text", { response_format: "json" }, "response_format", "must be an object, not a string"],
  [
    "a JSON schema without schema",
    { response_format: { type: "json_schema" } },
    "response_format.json_schema",
    "is req",
  ],
  ["metadata of 17 members", { metadata: MANY_LABELS }, "metadata", "must have at most 16 members, not 17"],
  [
    "a label with a long name",
    { metadata: { ["n".repeat(65)]: "" } },
    "metadata",
    "has a name with more than 64 characters",
  ],
  ["a label that is long", { metadata: { a: "v".repeat(513) } }, "metadata.a", "must have at most 512 characters"],
  ["metadata that is a number", { metadata: { a: 5 } }, "metadata.a", "must be a string, not a number"],
  ["a bias above 100", { logit_bias: { 50256: 101 } }, "logit_bias.50256", "must be at most 100, not 101"],
  ["21 top logprobs", { top_logprobs: 21 }, "top_logprobs", "must be at most 20, not 21"],
];

const UNKNOWN = "does not exist here; these do: attune/gpt-6-astra, attune/claude-";

const MODELS: readonly BadRequest[] = [
  ["an unknown model", { model: "attune/gpt-0" }],
  ["a model under another prefix", { model: "other/gpt-6-astra" }],
  ["a model with a NUL", { model: "attune/gpt-6-astra\0" }],
  ["a model that is a member of every object", { model: "constructor" }],
  ["an unknown model, as a stream", { model: "attune/gpt-0", stream: true }],
].map(([what, change]) => ({
  what: String(what),
  method: "POST",
  path: PATH,
  body: changed(GOOD_CHAT, change as object as Record<string, unknown>),
  expected: modelNotFound(UNKNOWN),
}));

const HEADERS: readonly BadRequest[] = [
  {
    what: "attune-strict: yes",
    method: "POST",
    path: PATH,
    body: changed(GOOD_CHAT, {}),
    headers: () => ({ "attune-strict": "yes" }),
    expected: invalid("the header 'attune-strict' must be 'true' or 'false'"),
  },
  {
    what: "a workload of 257 characters",
    method: "POST",
    path: PATH,
    body: changed(GOOD_CHAT, {}),
    headers: () => ({ "attune-workload": "w".repeat(257) }),
    expected: invalid("the header 'attune-workload' must have at most 256 characters, not 257"),
  },
];

/** Bad requests of Chat Completions. */
export const CHAT: readonly BadRequest[] = [
  ...wrongBodies(PATH, GOOD_CHAT, [...MESSAGES, ...TOOLS, ...OPTIONS]),
  ...MODELS,
  ...HEADERS,
];
