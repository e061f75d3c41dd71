import {
  type BadRequest,
  changed,
  invalid,
  MANY_LABELS,
  modelNotFound,
  nested,
  notFound,
  previousNotFound,
  type WrongBody,
  wrongBodies,
} from "./bad-request.ts";

const PATH = "/v1/responses";

/** A request that is right. */
export const GOOD_RESPONSES = { model: "attune/gpt-6-astra", input: "Hello" };

const items = (...input: unknown[]) => ({ input });
const part = (content: object) => items({ role: "user", content: [content] });
const raw = (member: string) => `{"model":"attune/gpt-6-astra","input":"Hello",${member}}`;
const tool = (members: object) => ({ tools: [{ type: "function", name: "f", ...members }] });

const called = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
const result = (id: string) => ({ type: "function_call_output", call_id: id, output: "x" });
const uncalled = (id: string) => `No tool call found for function call output with call_id ${id}.`;

const INPUT: readonly WrongBody[] = [
  ["a result without a call", items(result("call_1")), "input[0].call_id", uncalled("call_1")],
  ["a result before its call", items(result("call_1"), called), "input[0].call_id", uncalled("call_1")],
  ["a result of another call", items(called, result("call_2")), "input[1].call_id", uncalled("call_2")],
  [
    "a result of a custom tool without a call",
    items({ type: "custom_tool_call_output", call_id: "call_3", output: "x" }),
    "input[0].call_id",
    uncalled("call_3"),
  ],
  ["no input", { input: undefined }, "input", "is required: an array"],
  ["an input that is a number", { input: 5 }, "input", "must be a string or an array of items"],
  ["an input that is empty", { input: [] }, "input", "must hold at least one item"],
  ["an item that is a text", items("Hello"), "input[0]", "must be an object, not a string"],
  ["an item without type and role", items({ content: "x" }), "input[0]", "needs a 'type'"],
  ["an item whose type is a number", items({ type: 5 }), "input[0].type", "must be a string, not a number"],
  ["an empty role", items({ role: "", content: "x" }), "input[0].role", "must be one of 'user', 'assistant'"],
  ["no content", items({ role: "user" }), "input[0].content", "is required: an array"],
  ["content that is a number", items({ role: "user", content: 5 }), "input[0].content", "must be a string or an array"],
  ["a part without type", part({ text: "x" }), "input[0].content[0].type", "is required: a string"],
  ["a text without text", part({ type: "input_text" }), "input[0].content[0].text", "is required: a string"],
  ["an image without source", part({ type: "input_image" }), "input[0].content[0]", "needs either 'image_url' or"],
  [
    "an image with a bad data: URL",
    part({ type: "input_image", image_url: "data:image/png;base64,***" }),
    "input[0].content[0].image_url",
    "is not a valid data: URL",
  ],
  [
    "an image at a path",
    part({ type: "input_image", image_url: "file:///etc/passwd" }),
    "input[0].content[0].image_url",
    "must begin with 'https://', 'http://' or 'data:'",
  ],
  [
    "a file with two sources",
    part({ type: "input_file", file_id: "file_1", file_url: "https://a.b/c.pdf" }),
    "input[0].content[0]",
    "needs exactly one of 'file_data', 'file_url' and 'file_id'",
  ],
  [
    "a call without call_id",
    items({ type: "function_call", name: "f", arguments: "{}" }),
    "input[0].call_id",
    "is req",
  ],
  [
    "arguments that are an object",
    items({ type: "function_call", call_id: "c", name: "f", arguments: {} }),
    "input[0].arguments",
    "must be a string, not an object",
  ],
  ["a result without call_id", items({ type: "function_call_output", output: "x" }), "input[0].call_id", "is required"],
  ["a result without output", items({ type: "function_call_output", call_id: "c" }), "input[0].output", "is required"],
];

const OPTIONS: readonly WrongBody[] = [
  ["no model", { model: undefined }, "model", "is required: a string"],
  ["a model that is an array", { model: [] }, "model", "must be a string, not an array"],
  ["a model that is empty", { model: "" }, "model", "must not be empty"],
  ["instructions that are an array", { instructions: ["x"] }, "instructions", "must be a string, not an array"],
  ["max_output_tokens of 0", { max_output_tokens: 0 }, "max_output_tokens", "must be at least 1, not 0"],
  ["max_output_tokens as text", { max_output_tokens: "9" }, "max_output_tokens", "must be a whole number"],
  ["max_output_tokens of 1e400", raw('"max_output_tokens":1e400'), "max_output_tokens", "must be a whole number"],
  ["max_output_tokens of 2^53+1", raw('"max_output_tokens":9007199254740993'), "max_output_tokens", "must be"],
  ["reasoning that is text", { reasoning: "high" }, "reasoning", "must be an object, not a string"],
  ["an empty effort", { reasoning: { effort: "" } }, "reasoning.effort", "must be one of 'none', 'minimal', 'low'"],
  ["a summary that is a boolean", { reasoning: { summary: true } }, "reasoning.summary", "must be one of"],
  ["stream as a number", { stream: 1 }, "stream", "must be true or false, not a number"],
  ["tools that are no array", { tools: "f" }, "tools", "must be an array, not a string"],
  ["a tool that is null", { tools: [null] }, "tools[0]", "is required: an object"],
  ["a tool without type", { tools: [{ name: "f" }] }, "tools[0].type", "is required: a string"],
  ["a tool without name", { tools: [{ type: "function" }] }, "tools[0].name", "is required: a string"],
  ["a schema that is text", tool({ parameters: "{}" }), "tools[0].parameters", "must be an object, not a string"],
  [
    "two tools of one name",
    { tools: [...tool({}).tools, ...tool({}).tools] },
    "tools[1]",
    "has the name 'f', which another tool has too",
  ],
  [
    "a schema of 10,000 levels",
    raw(`"tools":[{"type":"function","name":"f","parameters":${nested(10_000)}}]`),
    null,
    "the body is nested deeper than 256 levels",
  ],
  ["an empty tool choice", { tool_choice: "" }, "tool_choice", "must be one of 'none', 'auto', 'required'"],
  ["a choice without name", { tool_choice: { type: "function" } }, "tool_choice.name", "is required: a string"],
  ["a temperature above 2", { temperature: 3 }, "temperature", "must be at most 2, not 3"],
  ["top_p below 0", { top_p: -1 }, "top_p", "must be at least 0, not -1"],
  ["text that is text", { text: "plain" }, "text", "must be an object, not a string"],
  ["a form without name", { text: { format: { type: "json_schema", schema: {} } } }, "text.format.name", "is required"],
  ["metadata of 17 members", { metadata: MANY_LABELS }, "metadata", "must have at most 16 members, not 17"],
  [
    "a label with a long name",
    { metadata: { ["n".repeat(65)]: "" } },
    "metadata",
    "has a name with more than 64 characters",
  ],
  ["a label that is long", { metadata: { a: "v".repeat(513) } }, "metadata.a", "must have at most 512 characters"],
  ["metadata that is nested", { metadata: { a: {} } }, "metadata.a", "must be a string, not an object"],
  ["a previous response that is a number", { previous_response_id: 1 }, "previous_response_id", "must be a string"],
  ["a wish to store that is a text", { store: "yes" }, "store", "must be true or false, not a string"],
  ["a conversation that is a number", { conversation: 1 }, "conversation", "must be a string"],
  [
    "background that is not stored",
    { background: true, store: false },
    "store",
    "a response is made in the background only if it is stored",
  ],
  ["background as text", { background: "yes" }, "background", "must be true or false, not a string"],
];

/** Ids that no response has: another service's, one of this service that was never given out, and odd ones. */
const PREVIOUS: readonly string[] = [
  "resp_1",
  "0199c0de-0000-7000-8000-00000000abcd",
  "0199C0DE-0000-7000-8000-00000000ABCD",
  "' or 1=1 --",
  "x".repeat(400),
];
const NO_ITEM = "msg_0199c0de00007000800000000000abcd_0";
const STORED = [
  ["GET", `${PATH}/ID`],
  ["DELETE", `${PATH}/ID`],
  ["GET", `${PATH}/ID/input_items`],
] as const;

/** Bad requests of Responses. */
export const RESPONSES: readonly BadRequest[] = [
  ...wrongBodies(PATH, GOOD_RESPONSES, [...INPUT, ...OPTIONS]),
  {
    what: "an unknown model",
    method: "POST",
    path: PATH,
    body: changed(GOOD_RESPONSES, { model: "attune/gpt-0", stream: true }),
    expected: modelNotFound("the model 'attune/gpt-0' does not exist here; these do: attune/gpt-6-astra"),
  },
  ...PREVIOUS.map((id) => ({
    what: `a previous response of the id ${id.slice(0, 40)}`,
    method: "POST",
    path: PATH,
    body: changed(GOOD_RESPONSES, { previous_response_id: id }),
    expected: previousNotFound(`previous_response_id: no stored response has the id '${id.slice(0, 64)}'`),
  })),
  {
    what: "a reference to an item of no response",
    method: "POST",
    path: PATH,
    body: changed(GOOD_RESPONSES, { input: [{ type: "item_reference", id: NO_ITEM }] }),
    expected: { ...notFound(`input[0].id: no stored response has the item '${NO_ITEM}'`), param: "input[0].id" },
  },
  ...STORED.flatMap(([method, path]) =>
    PREVIOUS.map((id) => ({
      what: `${method} of what is not stored`,
      method,
      path: path.replace("ID", encodeURIComponent(id)),
      expected: notFound(`no stored response has the id '${id.slice(0, 64)}'`),
    })),
  ),
  {
    what: "a stream from before its beginning",
    method: "GET",
    path: `${PATH}/resp_1?stream=true&starting_after=-1`,
    expected: invalid("starting_after: must be the sequence_number of an event", "starting_after"),
  },
];
