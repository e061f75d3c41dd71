import type { Server } from "../server.ts";

/** xai. */
export const xai = {
  at: ["x.ai"],
  sources: [
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
  ],
  facts: {
    limitMember: "max_completion_tokens",
    n: 8,
    toolKinds: "functions",
    efforts: ["none", "low", "medium", "high", "xhigh"],
    errors: [
      { message: "^Incorrect API key provided", means: "unauthenticated" },
      { message: "^Your (?:newly created )?team .{0,200}(?:credits|spending limit)", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
