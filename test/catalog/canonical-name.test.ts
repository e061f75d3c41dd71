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
  ])("reads %s as %s", (name, canonical) => {
    expect(canonicalName(name)).toBe(canonical);
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
    expect(find("a".repeat(100_000))).toBeUndefined();
  });
});
