import { describe, expect, it } from "vitest";
import {
  CacheTtl,
  Dialect,
  ReasoningEffort,
  ThinkingMode,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { chatJson, HI, type Input, SENT_HI, send, tool } from "./hub.ts";

const RESPONSES = Dialect.RESPONSES;

const CLOSED = { type: "object", additionalProperties: false };
const CLOSED_JSON = JSON.stringify(CLOSED);
const strictTool = (name: string, parametersJson: string) => ({
  kind: { case: "function" as const, value: { name, parametersJson, strict: true } },
});

/**
 * What it is, members of the input, expected members beside model, max_tokens, messages and stream, expected losses.
 */
const options: readonly [string, Input, JsonObject, string[]][] = [
  [
    "sampling and the end user",
    { temperature: 1, topP: 0.5, topK: 3, stopSequences: ["END", "\n"], endUserId: "u" },
    { temperature: 1, top_p: 0.5, top_k: 3, stop_sequences: ["END"], metadata: { user_id: "u" } },
    ["stop_sequences"],
  ],
  [
    "what the format has no place for",
    {
      verbosity: "low",
      promptCacheKey: "k",
      metadata: { a: "b" },
      extension: chatJson('{"max_tokens":5,"seed":1,"logit_bias":{},"service_tier":"flex"}'),
    },
    {},
    ["verbosity", "metadata", "prompt_cache_key", "extension.seed", "extension.service_tier"],
  ],
  ["no effort", { reasoning: { effort: ReasoningEffort.NONE } }, { thinking: { type: "disabled" } }, []],
  ["least effort", { reasoning: { effort: ReasoningEffort.MINIMAL } }, { thinking: { type: "disabled" } }, []],
  [
    "high effort",
    { reasoning: { effort: ReasoningEffort.HIGH } },
    { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
    [],
  ],
  [
    "the wish for a summary",
    { dialect: RESPONSES, reasoning: { effort: ReasoningEffort.MAX, summary: "auto" } },
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
    [],
  ],
  [
    "thinking over RPC",
    {
      dialect: Dialect.UNSPECIFIED,
      reasoning: { mode: ThinkingMode.ENABLED, budgetTokens: 2048, display: "summarized" },
      automaticCacheMark: { ttl: CacheTtl.CACHE_TTL_1H },
    },
    {
      thinking: { type: "enabled", budget_tokens: 2048, display: "summarized" },
      cache_control: { type: "ephemeral", ttl: "1h" },
    },
    [],
  ],
  [
    "a JSON schema",
    {
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { name: "n", description: "d", schemaJson: CLOSED_JSON, strict: true },
        },
      },
    },
    { output_config: { format: { type: "json_schema", schema: { ...CLOSED, title: "n", description: "d" } } } },
    [],
  ],
  [
    "a schema that has a title and another description",
    {
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { name: "n", description: "d", schemaJson: '{"title":"T","description":"D","type":"null"}' },
        },
      },
    },
    { output_config: { format: { type: "json_schema", schema: { title: "T", description: "D", type: "null" } } } },
    ["output_format.description"],
  ],
  [
    "a schema that says what its format says",
    {
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { name: "n", description: "d", schemaJson: '{"description":"d","type":"null"}' },
        },
      },
    },
    { output_config: { format: { type: "json_schema", schema: { description: "d", type: "null", title: "n" } } } },
    [],
  ],
  [
    "a schema with the name that those without one get",
    {
      outputFormat: {
        kind: { case: "jsonSchema", value: { name: "response", schemaJson: CLOSED_JSON, strict: true } },
      },
    },
    { output_config: { format: { type: "json_schema", schema: CLOSED } } },
    [],
  ],
  [
    "a schema that need not bind",
    { outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: CLOSED_JSON, strict: false } } } },
    { output_config: { format: { type: "json_schema", schema: CLOSED } } },
    [],
  ],
  [
    "a schema with bounds, in an object that is not closed",
    {
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { schemaJson: '{"type":"object","properties":{"n":{"type":"integer","minimum":1.0e3}}}' },
        },
      },
    },
    {
      output_config: {
        format: {
          type: "json_schema",
          schema: { ...CLOSED, properties: { n: { type: "integer", description: '{"minimum":1000}' } } },
        },
      },
    },
    ["output_format.schema_json.properties.n.minimum"],
  ],
  [
    "no schema of a map, to which no answer can be held",
    {
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { name: "n", schemaJson: '{"type":"object","additionalProperties":{"type":"number"}}', strict: true },
        },
      },
    },
    {},
    ["output_format"],
  ],
  [
    "strict tools that are reduced, and one that cannot be strict",
    {
      tools: [
        strictTool("reduced", '{"properties":{"s":{"type":"string","maxLength":9}}}'),
        strictTool("loose", '{"type":"object","additionalProperties":{"type":"number","minimum":1}}'),
      ],
    },
    {
      tools: [
        {
          name: "reduced",
          input_schema: { ...CLOSED, properties: { s: { type: "string", description: '{"maxLength":9}' } } },
          strict: true,
        },
        { name: "loose", input_schema: { type: "object", additionalProperties: { type: "number", minimum: 1 } } },
      ],
    },
    ["tools[0].parameters_json.properties.s.maxLength", "tools[1].strict"],
  ],
  [
    "a tool that is not strict, as it is",
    {
      tools: [
        { kind: { case: "function", value: { name: "f", parametersJson: '{"type":"object","maxProperties":3}' } } },
      ],
    },
    { tools: [{ name: "f", input_schema: { type: "object", maxProperties: 3 } }] },
    [],
  ],
  ["any JSON object", { outputFormat: { kind: { case: "jsonObject", value: {} } } }, {}, ["output_format"]],
  ["plain text", { outputFormat: { kind: { case: "text", value: {} } } }, {}, []],
  [
    "tools, one of them custom, one hosted",
    {
      tools: [
        { kind: { case: "function", value: { name: "bare" } }, cacheMark: {} },
        { kind: { case: "function", value: { name: "open", parametersJson: '{"properties":{}}', strict: false } } },
        { kind: { case: "custom", value: { name: "free" } } },
        { kind: { case: "opaque", value: chatJson('{"type":"web_search"}') } },
        tool("f", { extension: chatJson('{"async":true}') }),
      ],
      parallelToolCalls: true,
    },
    {
      tools: [
        { name: "bare", input_schema: { type: "object", properties: {} }, cache_control: { type: "ephemeral" } },
        { name: "open", input_schema: { type: "object", properties: {} }, strict: false },
        { name: "f", input_schema: { type: "object" } },
      ],
    },
    ["tools[2]", "tools[3]", "tools[4].extension.async"],
  ],
  [
    "one call at a time",
    { tools: [tool("f")], parallelToolCalls: false },
    {
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    },
    [],
  ],
  [
    "a call that must be",
    { tools: [tool("f")], toolChoice: { mode: ToolChoiceMode.REQUIRED } },
    { tools: [{ name: "f", input_schema: { type: "object" } }], tool_choice: { type: "any" } },
    [],
  ],
  [
    "a call of one tool",
    { tools: [tool("f")], toolChoice: { mode: ToolChoiceMode.NAMED, name: "f" }, parallelToolCalls: false },
    {
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    },
    [],
  ],
  [
    "no call",
    { tools: [tool("f")], toolChoice: { mode: ToolChoiceMode.NONE }, parallelToolCalls: false },
    { tools: [{ name: "f", input_schema: { type: "object" } }], tool_choice: { type: "none" } },
    [],
  ],
  [
    "some tools of all",
    {
      tools: [tool("f"), tool("g")],
      toolChoice: { mode: ToolChoiceMode.REQUIRED, allowedNames: ["g"], opaque: chatJson("{}") },
    },
    { tools: [{ name: "g", input_schema: { type: "object" } }], tool_choice: { type: "any" } },
    [],
  ],
  ["no call without tools", { toolChoice: { mode: ToolChoiceMode.NONE }, parallelToolCalls: false }, {}, []],
];

describe("encodeRequest()", () => {
  it.each(options)("sends %s", (_what, input, expected, losses) => {
    expect(send({ messages: [HI], ...input })).toEqual({
      body: { model: "claude-x", max_tokens: 64_000, messages: [SENT_HI], stream: true, ...expected },
      losses,
    });
  });
});
