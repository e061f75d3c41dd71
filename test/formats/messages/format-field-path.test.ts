import { describe, expect, it } from "vitest";
import { formatFieldPath } from "../../../src/formats/messages/format-field-path.ts";
import { decodeRequest } from "../../../src/formats/messages/request/decode-request.ts";
import { findPlace } from "../../facade/find-place.ts";

const mark = { cache_control: { type: "ephemeral", ttl: "1h" } };
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more });

const BODY = {
  model: "attune/m",
  max_tokens: 5,
  system: [text("s", mark), text("t", { citations: [1] })],
  messages: [
    {
      role: "user",
      content: [
        { type: "search_result", source: "s", title: "t", content: [text("found", { x_found: 1 })] },
        { type: "image", source: { type: "url", url: "https://a/b.png" } },
        {
          type: "document",
          title: "T",
          context: "C",
          citations: { enabled: true },
          source: { type: "content", content: [text("a"), text("b", { ...mark, x_part: 1 })] },
        },
      ],
      x_m: 1,
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "sig" },
        { type: "redacted_thinking", data: "d" },
        { type: "tool_use", id: "1", name: "f", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            text("r"),
            { type: "document", title: "D", source: { type: "content", content: [text("c", { x_deep: 1 })] } },
          ],
        },
        text("and"),
      ],
    },
  ],
  tools: [{ name: "f", input_schema: { type: "object" }, strict: true, x_tool: 1, ...mark }, { type: "web_search_9" }],
  tool_choice: { type: "auto", disable_parallel_tool_use: true },
  stop_sequences: ["a"],
  top_k: 3,
  metadata: { user_id: "u" },
  thinking: { type: "enabled", budget_tokens: 2048, display: "omitted", x_new: 1 },
  output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
  cache_control: { type: "ephemeral", ttl: "1h" },
  container: "c",
  // A name of the hub that is none in this format.
  reasoning: "x",
};

const PLACES: readonly (readonly [hub: string, messages: string])[] = [
  ["top_k", "top_k"],
  ["stop_sequences", "stop_sequences"],
  ["max_output_tokens", "max_tokens"],
  ["end_user_id", "metadata.user_id"],
  ["automatic_cache_mark", "cache_control"],
  ["automatic_cache_mark.ttl", "cache_control.ttl"],
  ["parallel_tool_calls", "tool_choice.disable_parallel_tool_use"],
  ["tool_choice", "tool_choice"],
  ["reasoning.effort", "output_config.effort"],
  ["reasoning.mode", "thinking"],
  ["reasoning.budget_tokens", "thinking.budget_tokens"],
  ["reasoning.display", "thinking.display"],
  ["reasoning.extension.x_new", "thinking.x_new"],
  ["output_format", "output_config.format"],
  ["output_format.json_schema.schema_json", "output_config.format.schema"],
  ["extension.reasoning", "reasoning"],
  ["extension.container", "container"],
  ["system[0]", "system[0]"],
  ["system[0].cache_mark.ttl", "system[0].cache_control.ttl"],
  ["system[1].extension.citations", "system[1].citations"],
  ["messages", "messages"],
  ["messages[0].content", "messages[0].content"],
  ["messages[0].role", "messages[0].role"],
  ["messages[0].extension.x_m", "messages[0].x_m"],
  ["messages[0].content[0]", "messages[0].content[0]"],
  ["messages[0].content[0].extension.source", "messages[0].content[0].source"],
  ["messages[0].content[0].content.blocks[0].extension.x_found", "messages[0].content[0].content[0].x_found"],
  ["messages[0].content[1].url", "messages[0].content[1].source.url"],
  ["messages[0].content[2].title", "messages[0].content[2].title"],
  ["messages[0].content[2].document.context", "messages[0].content[2].context"],
  ["messages[0].content[2].extension.citations", "messages[0].content[2].citations"],
  ["messages[0].content[2].content.blocks[1]", "messages[0].content[2].source.content[1]"],
  ["messages[0].content[2].content.blocks[1].cache_mark", "messages[0].content[2].source.content[1].cache_control"],
  ["messages[0].content[2].content.blocks[1].extension.x_part", "messages[0].content[2].source.content[1].x_part"],
  ["messages[1].content[0]", "messages[1].content[0]"],
  ["messages[1].content[2].arguments", "messages[1].content[2].input"],
  ["messages[2].content[0].content[1]", "messages[2].content[0].content[1]"],
  ["messages[2].content[0].content[1].title", "messages[2].content[0].content[1].title"],
  [
    "messages[2].content[0].tool_result.content[1].document.content.blocks[0].extension.x_deep",
    "messages[2].content[0].content[1].source.content[0].x_deep",
  ],
  ["tools[0].name", "tools[0].name"],
  ["tools[0].parameters_json", "tools[0].input_schema"],
  ["tools[0].cache_mark", "tools[0].cache_control"],
  ["tools[0].extension.x_tool", "tools[0].x_tool"],
  ["tools[1]", "tools[1]"],
];

describe("formatFieldPath()", () => {
  const { input } = decodeRequest(BODY);

  it.each(PLACES)("spells %s as %s", (hub, messages) => {
    expect(formatFieldPath(hub, input)).toBe(messages);
    // What is named is there.
    expect(findPlace(BODY, messages)).toBeDefined();
  });

  it("leaves places of answers, and those that it does not know", () => {
    for (const place of ["answer.content[0].extension.x", "model", "workload", ""])
      expect(formatFieldPath(place, input)).toBe(place);
  });
});
