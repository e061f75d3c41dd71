import type { Server } from "../server.ts";

/** xai. */
export const xai = {
  at: ["x.ai"],
  below: "/v1",
  sources: [
    {
      at: "docs.x.ai/docs/guides/reasoning: Grok 3 Mini takes low and high, Grok 4 and its fast versions refuse efforts",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["modelThinking"],
    },
    {
      at: "docs.x.ai/docs/guides/debugging-errors; the words of a wrong key with 400: freellmapi#285",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "NousResearch/hermes-agent#42330: minimal and max are refused",
      on: "2026-11-28",
      basis: "reported",
      tells: ["efforts"],
    },
    {
      at: "docs.rs/xai-openapi, chat::ChatRequest and Message; docs.x.ai/docs/api-reference",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "n", "toolKinds"],
    },
    {
      at: "docs.x.ai/developers/cost-tracking: the charge after discounts, with tools; 10^10 ticks are a dollar",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    modelThinking: [
      { models: "grok-3-mini", efforts: ["low", "high"] },
      { models: "grok-(?:2|3|4(?:-1)?-fast-non-reasoning)", thinks: false },
      { models: "grok-4(?:-0709|-latest|(?:-1)?-fast.*)?$|grok-code-fast", efforts: [], thinkingSwitch: "none" },
    ],
    limitMember: "max_completion_tokens",
    n: 8,
    reportedCosts: [{ members: ["cost_in_usd_ticks"], unitsPerUsd: 10_000_000_000 }],
    toolKinds: "functions",
    efforts: ["none", "low", "medium", "high", "xhigh"],
    errors: [
      { message: "^Content violates usage guidelines", means: "content_filtered" },
      { message: "^Incorrect API key provided", means: "unauthenticated" },
      { message: "^Your (?:newly created )?teams? .{0,200}(?:credits|spending limit)", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
