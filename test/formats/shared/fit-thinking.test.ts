import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ReasoningEffort, ReasoningSchema, ThinkingMode } from "../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../src/catalog/facts.ts";
import { findServerFacts, type ServerName } from "../../../src/catalog/server-facts.ts";
import { fitThinking } from "../../../src/formats/shared/fit-thinking.ts";
import { LossList } from "../../../src/formats/shared/losses.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { stubModel } from "../../support/stub-upstream.ts";

type Asked = MessageInitShape<typeof ReasoningSchema>;
type Thinking = (typeof stubModel)["thinking"];

function ask(asked: Asked, profile: ServerFacts, upstreamModel = "m", thinking?: Thinking) {
  const reasoning = create(ReasoningSchema, asked);
  const losses = new LossList(undefined, createHubInput({ reasoning }));
  const { thinkingSwitch: _, ...fitted } = fitThinking(
    reasoning,
    { model: { ...stubModel, thinking }, upstreamModel, profile },
    losses,
  );
  return { ...fitted, losses: [...losses.places] };
}

const { LOW, MEDIUM, XHIGH, MAX, NONE, MINIMAL } = ReasoningEffort;
const { DISABLED, ENABLED } = ThinkingMode;

/** A server, its model, what is asked, and what it is sent. */
const CASES: readonly [ServerName, string, Asked, object][] = [
  ["unknown", "m", { effort: MAX }, { effort: "max", isOn: true, losses: [] }],
  ["unknown", "m", { mode: DISABLED }, { effort: "none", losses: [] }],
  ["deepseek", "m", { effort: MAX }, { effort: "max", isOn: true, losses: [] }],
  ["deepseek", "m", { effort: MEDIUM }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["deepseek", "m", { effort: NONE }, { isOn: false, losses: [] }],
  ["deepseek", "m", { mode: DISABLED, effort: LOW }, { isOn: false, losses: ["reasoning.effort"] }],
  ["moonshot", "kimi-k2.6", { effort: LOW }, { effort: undefined, isOn: true, losses: ["reasoning.effort"] }],
  ["moonshot", "kimi-k3", { mode: DISABLED }, { effort: "low", losses: ["reasoning.mode"] }],
  ["moonshot", "moonshot-v1-8k", { effort: LOW }, { losses: ["reasoning.effort"] }],
  ["moonshot", "moonshot-v1-8k", { effort: NONE }, { losses: [] }],
  ["xai", "m", { effort: MINIMAL }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["gemini", "gemini-2.5-pro", { effort: NONE }, { effort: "minimal", losses: ["reasoning.effort"] }],
  ["gemini", "gemini-2.5-flash", { effort: NONE }, { effort: "none", losses: [] }],
  ["dashscope", "qwen3-max", { mode: ENABLED, budgetTokens: 4000 }, { isOn: true, budgetTokens: 4000, losses: [] }],
  ["openai", "gpt-4o-mini", { effort: LOW }, { losses: ["reasoning.effort"] }],
  ["openai", "ft:gpt-4.1:acme::a", { effort: NONE }, { losses: [] }],
  ["openai", "o3-mini", { effort: MAX }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ["openai", "gpt-5-2025-08-07", { effort: NONE }, { effort: "minimal", losses: ["reasoning.effort"] }],
  ["openai", "gpt-5.1", { effort: MINIMAL }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["openai", "gpt-5.2-pro", { effort: LOW }, { effort: "medium", isOn: true, losses: ["reasoning.effort"] }],
  ["openai", "gpt-6-astra", { effort: MAX }, { effort: "max", isOn: true, losses: [] }],
  ["azure", "gpt-4o", { effort: LOW }, { losses: ["reasoning.effort"] }],
  ["xai", "grok-4-0709", { effort: LOW }, { effort: undefined, isOn: true, losses: ["reasoning.effort"] }],
  ["xai", "grok-3-mini", { effort: MEDIUM }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["mistral", "magistral-medium", { effort: LOW }, { effort: undefined, isOn: true, losses: ["reasoning.effort"] }],
  ["mistral", "mistral-small-latest", { effort: LOW }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ["gemini", "gemini-2.0-flash", { effort: LOW }, { losses: ["reasoning.effort"] }],
  ["fireworks", "accounts/fireworks/models/kimi-k3", { effort: NONE }, { effort: "none", losses: [] }],
  ["vllm", "openai/gpt-oss-20b", { effort: NONE }, { effort: "low", losses: ["reasoning.effort"] }],
  ["sglang", "openai/gpt-oss-20b", { effort: NONE }, { effort: "low", losses: ["reasoning.effort"] }],
  ["litserve", "m", { effort: XHIGH }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ["vllm", "qwen3", { effort: NONE }, { effort: "none", losses: [] }],
  ["vllm", "qwen3", { effort: XHIGH }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ["together", "openai/gpt-oss-20b", { effort: NONE }, { effort: "low", losses: ["reasoning.effort"] }],
  [
    "databricks",
    "databricks-gpt-oss-20b",
    { effort: XHIGH },
    { effort: "high", isOn: true, losses: ["reasoning.effort"] },
  ],
  ["unknown", "gpt-oss:20b", { effort: MINIMAL }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["nvidia", "openai/gpt-oss-120b", { effort: NONE }, { effort: "low", losses: ["reasoning.effort"] }],
  ["lm-studio", "openai/gpt-oss-20b", { effort: XHIGH }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ["llama.cpp", "gpt-oss-20b", { effort: MINIMAL }, { effort: "low", isOn: true, losses: ["reasoning.effort"] }],
  ["glm", "glm-5", { effort: XHIGH }, { effort: undefined, isOn: true, losses: ["reasoning.effort"] }],
];

describe("fitThinking()", () => {
  it.each(CASES)("asks %s's %s for %j", (name, model, asked, expected) => {
    expect(ask(asked, findServerFacts(name, "chat"), model)).toEqual(expected);
  });

  const ollama = findServerFacts("ollama", "chat");

  it.each([
    ["m", undefined, { effort: LOW }, { losses: ["reasoning.effort"] }],
    ["m", undefined, { mode: ENABLED, budgetTokens: 2500 }, { losses: ["reasoning.budget_tokens"] }],
    // Models that do not think take this word, and those that do are switched off.
    ["m", undefined, { effort: NONE }, { effort: "none", losses: [] }],
    ["m", "none", { effort: NONE }, { losses: [] }],
    ["m", "adaptive", { effort: LOW }, { effort: undefined, isOn: true, losses: ["reasoning.effort"] }],
    ["gpt-oss:20b", "adaptive", { effort: LOW }, { effort: "low", isOn: true, losses: [] }],
    ["gpt-oss:20b", "adaptive", { effort: XHIGH }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
    ["glm-5.3:cloud", "adaptive", { effort: MAX }, { effort: "high", isOn: true, losses: ["reasoning.effort"] }],
  ] as const)("asks Ollama's %s with thinking: %s for %j", (upstreamModel, thinking, asked, expected) => {
    expect(ask(asked, ollama, upstreamModel, thinking)).toEqual(expected);
  });

  it.each(["m", "gpt-oss:20b"])("names what a route ignores, for %s", (upstreamModel) => {
    expect(ask({ effort: LOW }, findServerFacts("ollama", "responses"), upstreamModel, "adaptive")).toMatchObject({
      effort: undefined,
      losses: ["reasoning.effort"],
    });
  });
});
