import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  CacheTtl,
  Dialect,
  ReasoningEffort,
  ThinkingMode,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { TextParts } from "../../../../src/dashboard/features/history/text-parts.ts";
import { viewSettings } from "../../../../src/dashboard/features/history/view-settings.ts";

type Init = MessageInitShape<typeof InferenceInputSchema>;

function view(init: Init) {
  return viewSettings(create(InferenceInputSchema, init), new TextParts()).map((setting) => [
    setting.name,
    "value" in setting ? setting.value : setting.text,
  ]);
}

const CASES: [what: string, init: Init, expected: unknown[][]][] = [
  ["nothing where nothing is said", { model: "attune/m" }, []],
  [
    "zero and false, which are said",
    { temperature: 0, topP: 0, topK: 0, maxOutputTokens: 0, parallelToolCalls: false, store: false },
    [
      ["Maximum output tokens", "0"],
      ["Temperature", "0"],
      ["Top p", "0"],
      ["Top k", "0"],
      ["Calls in one turn", "one"],
      ["Stored", "no"],
    ],
  ],
  [
    "texts and lists",
    {
      stopSequences: ["\n", "END"],
      verbosity: "low",
      promptCacheKey: "k",
      endUserId: "u",
      betas: ["a", "b"],
      metadata: { team: "search", tier: "2" },
      strict: true,
      store: true,
      parallelToolCalls: true,
      automaticCacheMark: { ttl: CacheTtl.CACHE_TTL_1H },
    },
    [
      ["Stops at", '"\\n", "END"'],
      ["Calls in one turn", "several"],
      ["Length", "low"],
      ["Prompt cache key", "k"],
      ["Cache mark", "automatic, kept for an hour"],
      ["End user", "u"],
      ["Metadata", "team: search, tier: 2"],
      ["Beta features", "a, b"],
      ["Stored", "yes"],
      ["Losses in translation", "refused"],
    ],
  ],
  [
    "what is asked of reasoning",
    { reasoning: { mode: ThinkingMode.ENABLED, effort: ReasoningEffort.HIGH, budgetTokens: 2048, summary: "auto" } },
    [["Reasoning", "enabled, effort high, 2,048 tokens at most, summary auto"]],
  ],
  ["reasoning that says nothing", { reasoning: {} }, []],
  [
    "a schema",
    {
      outputFormat: {
        kind: { case: "jsonSchema", value: { name: "why", schemaJson: '{"type":"object"}', strict: true } },
      },
    },
    [
      ["Format of the answer", "JSON of the schema why, which binds"],
      ["Schema of the answer", { part: 0, start: '{"type":"object"}', length: 17 }],
    ],
  ],
  [
    "a schema without a name",
    { outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: "{}", strict: false } } } },
    [
      ["Format of the answer", "JSON of the schema, which does not bind"],
      ["Schema of the answer", { part: 0, start: "{}", length: 2 }],
    ],
  ],
  [
    "any JSON",
    { outputFormat: { kind: { case: "jsonObject", value: {} } } },
    [["Format of the answer", "a JSON object"]],
  ],
  [
    "a tool that must be called",
    { toolChoice: { mode: ToolChoiceMode.NAMED, name: "look" } },
    [["Tools to call", "look"]],
  ],
  [
    "tools among which one must be called",
    { toolChoice: { mode: ToolChoiceMode.REQUIRED, allowedNames: ["a", "b"] } },
    [["Tools to call", "at least one among a, b"]],
  ],
  [
    "what only a format knows",
    {
      toolChoice: { mode: ToolChoiceMode.OPAQUE, opaque: { dialect: Dialect.CHAT, json: '{"type":"new"}' } },
      extension: { dialect: Dialect.CHAT, json: '{"logit_bias":{}}' },
    },
    [
      ["Tools to call, in the format's own words", { part: 0, start: '{"type":"new"}', length: 14 }],
      ["Only in the chat format", { part: 1, start: '{"logit_bias":{}}', length: 17 }],
    ],
  ],
];

describe("the settings of a request", () => {
  it.each(CASES)("show %s", (_, init, expected) => {
    expect(view(init)).toEqual(expected);
  });
});
