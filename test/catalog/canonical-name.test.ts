import { describe, expect, it } from "vitest";
import { canonicalName } from "../../src/catalog/canonical-name.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { CatalogModel } from "../../src/catalog/model.ts";

describe("canonicalName()", () => {
  it.each([
    ["claude-sonnet-5.5", "claude-sonnet-5-5"],
    ["us.anthropic.claude-sonnet-5-5-v1:0", "claude-sonnet-5-5"],
    ["anthropic/claude-sonnet-5-5-20260928", "claude-sonnet-5-5"],
    ["vertex_ai/claude-sonnet-5-5@20260928", "claude-sonnet-5-5"],
    ["claude-3-5-sonnet-latest", "claude-sonnet-3-5"],
    ["openai/gpt-6-astra", "gpt-6-astra"],
    ["openrouter/google/gemini-2.5-pro", "gemini-2.5-pro"],
    ["gpt-5.5-2026-04-23", "gpt-5.5"],
    ["o3-mini", "o3-mini"],
    ["other/gpt-6-astra", "other/gpt-6-astra"],
    ["bedrock/us-east-1/anthropic.claude-sonnet-5-5-v1:0", "claude-sonnet-5-5"],
    ["bedrock/converse/us-gov.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["publishers/anthropic/models/claude-sonnet-5-5@default", "claude-sonnet-5-5"],
    ["databricks-claude-sonnet-5-5", "claude-sonnet-5-5"],
    ["github_copilot/claude-sonnet-5.5", "claude-sonnet-5-5"],
    ["azure/eu/GPT-5.5", "gpt-5.5"],
    ["openai/responses/gpt-5.5", "gpt-5.5"],
    ["models/gemini-2.5-pro-001", "gemini-2.5-pro"],
    ["xai/grok-4-0709", "grok-4"],
    ["openai.gpt-oss-120b-1:0", "gpt-oss-120b"],
    ["fireworks_ai/accounts/fireworks/models/kimi-k3", "kimi-k3"],
    ["@cf/openai/gpt-oss-120b", "gpt-oss-120b"],
    ["MiniMaxAI/MiniMax-M2", "minimax-m2"],
    ["us.amazon.nova-pro-v1:0", "nova-pro"],
    ["deepseek-ai/DeepSeek-V3", "deepseek-v3"],
    ["command-r-v2", "command-r-v2"],
    ["mistral-large-2411", "mistral-large-2411"],
    ["embed-001", "embed-001"],
    ["arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"],
    ["arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"],
    [
      "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc",
      "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc",
    ],
    ["projects/p/locations/global/publishers/google/models/gemini-2.5-pro", "gemini-2.5-pro"],
    ["sap/anthropic--claude-4.5-sonnet", "claude-sonnet-4-5"],
    ["perplexity/sonar-pro", "sonar-pro"],
  ])("reads %s as %s", (name, canonical) => {
    expect(canonicalName(name).name).toBe(canonical);
  });

  it.each([
    ["gpt-5.5-2026-04-23", "20260423"],
    ["vertex_ai/claude-sonnet-5-5@20260928", "20260928"],
    ["anthropic.claude-3-5-sonnet-20241022-v2:0", "20241022"],
    ["gpt-4-0613", "0613"],
    ["gpt-4o-latest", ""],
  ])("reads the day of %s", (name, date) => {
    expect(canonicalName(name).date).toBe(date);
  });
});

describe("createCatalog()", () => {
  const model = (name: string): CatalogModel => ({
    name,
    displayName: name,
    family: "chat",
    purpose: "",
    contextWindow: 1,
    maxOutputTokens: 1,
    minCacheableTokens: 0,
    createdAt: new Date(0),
    deployments: [],
  });
  const { find } = createCatalog(["claude-sonnet-5-5", "gpt-4o", "gpt-4o-2024-08-06"].map(model), "attune");

  it("leads spellings of one model alone to it", () => {
    expect(find("attune/claude-sonnet-5.5")?.name).toBe("claude-sonnet-5-5");
    expect(find("us.anthropic.claude-sonnet-5-5-v1:0")?.name).toBe("claude-sonnet-5-5");
    expect(find("gpt-4o-2024-08-06")?.name).toBe("gpt-4o-2024-08-06");
    expect(find("gpt-4o-2024-05-13")).toBeUndefined();
    expect(find("azure/gpt-4o-2024-08-06")?.name).toBe("gpt-4o-2024-08-06");
    expect(find("azure/gpt-4o")?.name).toBe("gpt-4o");
    expect(find("a".repeat(100_000))).toBeUndefined();
  });

  it("leads neither another version nor another day to a model", () => {
    const served = createCatalog(["deepseek-v3", "claude-3-5-sonnet-20241022", "gpt-4"].map(model), "attune");
    for (const other of [
      "deepseek-v4",
      "deepseek",
      "claude-3-5-sonnet-20240620",
      "anthropic.claude-3-5-sonnet-20240620-v1:0",
    ])
      expect(served.find(other)).toBeUndefined();
    expect(served.find("anthropic/claude-3.5-sonnet")?.name).toBe("claude-3-5-sonnet-20241022");
    expect(served.find("gpt-4-0613")?.name).toBe("gpt-4");
  });
});
