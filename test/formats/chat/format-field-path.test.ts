import { describe, expect, it } from "vitest";
import { formatFieldPath } from "../../../src/formats/chat/format-field-path.ts";
import { decodeRequest } from "../../../src/formats/chat/request/decode-request.ts";
import { findPlace } from "../../facade/find-place.ts";

const mark = { prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } };
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more });

const BODY = {
  model: "attune/m",
  messages: [
    { role: "system", content: [text("s", mark)], name: "ops", x_m: 1 },
    {
      role: "user",
      content: [
        { type: "hologram" },
        text("a", { ...mark, title: "not modelled" }),
        { type: "image_url", image_url: { url: "https://a/b.png", detail: "low" } },
        { type: "file", file: { file_id: "f", filename: "n" }, title: "not modelled" },
      ],
    },
    {
      role: "assistant",
      reasoning_content: "Hm.",
      content: [text("b"), text("c")],
      tool_calls: [
        { id: "1", type: "function", function: { name: "f", arguments: "{" }, x_call: 1 },
        { id: "2", type: "custom", custom: { name: "g", input: "free" } },
      ],
    },
    { role: "tool", tool_call_id: "1", content: [text("r"), text("s", { x_part: 1 })], x_result: 1 },
    { role: "tool", tool_call_id: "2", content: "t" },
    {
      role: "assistant",
      reasoning_details: [
        { type: "reasoning.text", text: "Hm.", signature: "sig" },
        { type: "reasoning.encrypted", data: "d" },
        { type: "reasoning.odd" },
      ],
      content: [text("e")],
    },
  ],
  tools: [
    { type: "function", function: { name: "f", parameters: {}, strict: true, description: "F" }, x_tool: 1 },
    { type: "custom", custom: { name: "g", format: { type: "text" } } },
    { type: "web_search" },
  ],
  tool_choice: "auto",
  stop: ["a"],
  max_completion_tokens: 5,
  safety_identifier: "u",
  reasoning_effort: "low",
  response_format: { type: "json_schema", json_schema: { name: "n", description: "d", strict: true, schema: {} } },
  parallel_tool_calls: true,
  metadata: { sandbox: "x" },
  prompt_cache_options: { mode: "implicit", ttl: "12h" },
  // Names of the hub that are none in this format.
  stop_sequences: ["a"],
  max_output_tokens: 5,
};

const PLACES: readonly (readonly [hub: string, chat: string])[] = [
  ["temperature", "temperature"],
  ["stop_sequences", "stop"],
  ["stop_sequences[0]", "stop[0]"],
  ["max_output_tokens", "max_completion_tokens"],
  ["end_user_id", "safety_identifier"],
  ["reasoning.effort", "reasoning_effort"],
  ["output_format", "response_format"],
  ["output_format.strict", "response_format.json_schema.strict"],
  ["output_format.description", "response_format.json_schema.description"],
  ["output_format.json_schema.schema_json", "response_format.json_schema.schema"],
  ["parallel_tool_calls", "parallel_tool_calls"],
  ["metadata.sandbox", "metadata.sandbox"],
  ["tool_choice", "tool_choice"],
  ["extension.stop_sequences", "stop_sequences"],
  ["extension.max_output_tokens", "max_output_tokens"],
  ["extension.prompt_cache_options.ttl", "prompt_cache_options.ttl"],
  ["messages", "messages"],
  ["messages[1].content", "messages[1].content"],
  ["messages[0].name", "messages[0].name"],
  ["messages[0].role", "messages[0].role"],
  ["messages[0].extension.x_m", "messages[0].x_m"],
  ["messages[0].content[0].cache_mark.ttl", "messages[0].content[0].prompt_cache_breakpoint.ttl"],
  ["messages[1].content[0]", "messages[1].content[0]"],
  ["messages[1].content[0].opaque", "messages[1].content[0]"],
  ["messages[1].content[1].cache_mark", "messages[1].content[1].prompt_cache_breakpoint"],
  ["messages[1].content[1].extension.title", "messages[1].content[1].title"],
  ["messages[1].content[2].detail", "messages[1].content[2].image_url.detail"],
  ["messages[1].content[2].image.detail", "messages[1].content[2].image_url.detail"],
  ["messages[1].content[3].title", "messages[1].content[3].file.filename"],
  ["messages[1].content[3].extension.title", "messages[1].content[3].title"],
  ["messages[2].content[0]", "messages[2].reasoning_content"],
  ["messages[2].content[2]", "messages[2].content[1]"],
  ["messages[2].content[3]", "messages[2].tool_calls[0]"],
  ["messages[2].content[3].arguments", "messages[2].tool_calls[0].function.arguments"],
  ["messages[2].content[3].name", "messages[2].tool_calls[0].function.name"],
  ["messages[2].content[3].extension.x_call", "messages[2].tool_calls[0].x_call"],
  ["messages[2].content[4].arguments", "messages[2].tool_calls[1].custom.input"],
  ["messages[2].content[4].name", "messages[2].tool_calls[1].custom.name"],
  ["messages[3].content[0]", "messages[3]"],
  ["messages[3].content[0].tool_use_id", "messages[3].tool_call_id"],
  ["messages[3].content[0].content[1]", "messages[3].content[1]"],
  ["messages[3].content[0].content[1].extension.x_part", "messages[3].content[1].x_part"],
  ["messages[3].extension.x_result", "messages[3].x_result"],
  ["messages[5].content[0]", "messages[5].reasoning_details"],
  ["messages[5].content[1]", "messages[5].reasoning_details"],
  ["messages[5].content[2]", "messages[5].reasoning_details"],
  ["messages[5].content[3]", "messages[5].content[0]"],
  ["tools[0]", "tools[0]"],
  ["tools[0].name", "tools[0].function.name"],
  ["tools[0].function.name", "tools[0].function.name"],
  ["tools[0].parameters_json", "tools[0].function.parameters"],
  ["tools[0].extension.x_tool", "tools[0].x_tool"],
  ["tools[1].format_json", "tools[1].custom.format"],
  ["tools[2]", "tools[2]"],
];

describe("formatFieldPath()", () => {
  const { input } = decodeRequest(BODY);

  it.each(PLACES)("spells %s as %s", (hub, chat) => {
    expect(formatFieldPath(hub, input)).toBe(chat);
    // What is named is there.
    if (hub !== "temperature") expect(findPlace(BODY, chat)).toBeDefined();
  });

  it("spells names of a schema as they are", () => {
    const place = "properties.extension.properties.stop_sequences.minimum";
    expect(formatFieldPath(`output_format.schema_json.${place}`, input)).toBe(
      `response_format.json_schema.schema.${place}`,
    );
    expect(formatFieldPath(`tools[0].parameters_json.${place}`, input)).toBe(`tools[0].function.parameters.${place}`);
  });

  it("leaves places of answers, and those that it does not know", () => {
    for (const place of ["answer.content[0].extension.x", "model", "workload", "", "messages[9].content[3]"])
      expect(formatFieldPath(place, input)).toBe(place);
  });
});

describe("formatFieldPath() of functions and annotations", () => {
  const { input } = decodeRequest({
    model: "attune/m",
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{" } },
      { role: "function", name: "f", content: "1" },
      {
        role: "assistant",
        content: [text("a"), text("b")],
        annotations: [{ type: "url_citation", url_citation: { url: "https://a.example", title: "A" } }],
      },
    ],
    functions: [{ name: "f", parameters: {}, x: 1 }],
    function_call: "auto",
  });

  it.each([
    ["tools[0].name", "functions[0].name"],
    ["tools[0].extension.function.x", "functions[0].x"],
    ["tools[0]", "functions[0]"],
    ["tool_choice", "function_call"],
    ["messages[1].content[0]", "messages[1].function_call"],
    ["messages[1].content[0].arguments", "messages[1].function_call.arguments"],
    ["messages[3].content[1].annotations", "messages[3].annotations"],
    ["messages[3].content[1].annotations.annotations[0]", "messages[3].annotations[0]"],
  ])("spells %s", (place, spelled) => {
    expect(formatFieldPath(place, input)).toBe(spelled);
  });
});
