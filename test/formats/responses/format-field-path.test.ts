import { describe, expect, it } from "vitest";
import { formatFieldPath } from "../../../src/formats/responses/format-field-path.ts";
import { decodeRequest } from "../../../src/formats/responses/request/decode-request.ts";
import { findPlace } from "../../facade/find-place.ts";

const mark = { prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } };
const text = (value: string, more: object = {}) => ({ type: "input_text", text: value, ...more });

const BODY = {
  model: "attune/m",
  instructions: "Be brief.",
  previous_response_id: "0199c0de-0000-7000-8000-00000000abcd",
  input: [
    { role: "developer", content: [text("s", { ...mark, x_part: 1 })], phase: "x" },
    {
      role: "user",
      content: [
        { type: "hologram" },
        { type: "input_image", image_url: "https://a/b.png", detail: "low" },
        { type: "input_file", file_id: "f", filename: "n" },
      ],
    },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" },
    { type: "web_search_call", id: "ws_1" },
    { type: "function_call", call_id: "1", name: "f", arguments: "{", x_call: 1 },
    { type: "custom_tool_call", call_id: "2", name: "g", input: "free" },
    { type: "function_call_output", call_id: "1", output: [text("a"), text("b", { ...mark, x_part: 1 })], x_out: 1 },
    { role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "a", annotations: [{}] }] },
  ],
  tools: [
    { type: "function", name: "f", parameters: {}, defer_loading: true },
    { type: "custom", name: "g", format: { type: "text" } },
    { type: "web_search" },
  ],
  tool_choice: "auto",
  max_output_tokens: 5,
  safety_identifier: "u",
  reasoning: { effort: "low", summary: "auto", context: "x" },
  text: { verbosity: "low", format: { type: "json_schema", name: "n", description: "d", strict: true, schema: {} } },
  // A name of the hub that is none in this format.
  output_format: "x",
};

const PLACES: readonly (readonly [hub: string, responses: string])[] = [
  ["max_output_tokens", "max_output_tokens"],
  ["end_user_id", "safety_identifier"],
  ["verbosity", "text.verbosity"],
  ["reasoning.effort", "reasoning.effort"],
  ["reasoning.summary", "reasoning.summary"],
  ["reasoning.extension.context", "reasoning.context"],
  ["output_format", "text.format"],
  ["output_format.strict", "text.format.strict"],
  ["output_format.description", "text.format.description"],
  ["output_format.json_schema.schema_json", "text.format.schema"],
  ["extension.output_format", "output_format"],
  ["tool_choice", "tool_choice"],
  ["system[0]", "instructions"],
  ["previous_id", "previous_response_id"],
  ["messages", "input"],
  ["messages[0]", "input[0]"],
  ["messages[0].role", "input[0].role"],
  ["messages[0].extension.phase", "input[0].phase"],
  ["messages[0].content", "input[0].content"],
  ["messages[0].content[0]", "input[0].content[0]"],
  ["messages[0].content[0].cache_mark", "input[0].content[0].prompt_cache_breakpoint"],
  ["messages[0].content[0].cache_mark.ttl", "input[0].content[0].prompt_cache_breakpoint.ttl"],
  ["messages[0].content[0].extension.x_part", "input[0].content[0].x_part"],
  ["messages[1].content[0]", "input[1].content[0]"],
  ["messages[1].content[1].detail", "input[1].content[1].detail"],
  ["messages[1].content[2].title", "input[1].content[2].filename"],
  ["messages[2].content[0]", "input[2]"],
  ["messages[3]", "input[3]"],
  ["messages[3].content[0]", "input[3]"],
  ["messages[3].id", "input[3].id"],
  ["messages[4].content[0]", "input[4]"],
  ["messages[4].content[0].arguments", "input[4].arguments"],
  ["messages[4].content[0].name", "input[4].name"],
  ["messages[4].extension.x_call", "input[4].x_call"],
  ["messages[5].content[0].arguments", "input[5].input"],
  ["messages[6].content[0]", "input[6]"],
  ["messages[6].content[0].content[1]", "input[6].output[1]"],
  ["messages[6].content[0].content[1].cache_mark.ttl", "input[6].output[1].prompt_cache_breakpoint.ttl"],
  ["messages[6].content[0].content[1].extension.x_part", "input[6].output[1].x_part"],
  ["messages[6].extension.x_out", "input[6].x_out"],
  ["messages[7].content[0].extension.annotations", "input[7].content[0].annotations"],
  ["tools[0].name", "tools[0].name"],
  ["tools[0].function.name", "tools[0].name"],
  ["tools[0].parameters_json", "tools[0].parameters"],
  ["tools[0].extension.defer_loading", "tools[0].defer_loading"],
  ["tools[1].format_json", "tools[1].format"],
  ["tools[2]", "tools[2]"],
];

describe("formatFieldPath()", () => {
  const { input } = decodeRequest(BODY);

  it.each(PLACES)("spells %s as %s", (hub, responses) => {
    expect(formatFieldPath(hub, input)).toBe(responses);
    // What is named is there.
    expect(findPlace(BODY, responses)).toBeDefined();
  });

  it.each([
    ["previous_id.messages[2]", "previous_response_id.input[2]"],
    ["previous_id.messages[2].content[0].thinking", "previous_response_id.input[2]"],
    ["previous_id.messages[2].content[0].redacted_thinking", "previous_response_id.input[2]"],
    ["previous_id.messages[2].content[0].tool_use.arguments", "previous_response_id.input[2].arguments"],
    ["previous_id.messages[2].content[0].tool_result.content[1]", "previous_response_id.input[2].output[1]"],
    ["previous_id.messages[2].content[1].image.detail", "previous_response_id.input[2].content[1].detail"],
    ["previous_id.messages[2].content[1].opaque", "previous_response_id.input[2].content[1]"],
    ["previous_id.messages[9].extension.phase", "previous_response_id.input[9].phase"],
  ])("spells %s, in the conversation that is continued, as %s", (hub, responses) => {
    expect(formatFieldPath(hub, input)).toBe(responses);
  });

  it("leaves places of answers, and those that it does not know", () => {
    for (const place of ["answer.content[0].extension.x", "model", "workload", ""])
      expect(formatFieldPath(place, input)).toBe(place);
  });
});
