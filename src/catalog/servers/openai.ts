import type { Server } from "../server.ts";

/** OpenAI's API. */
export const openai = {
  at: ["api.openai.com"],
  sources: [
    {
      at: "lksnext-ai-lab/ai-core-tools#190, mindconnect-ai/mindconnect#112: from gpt-5.6 on, Chat takes no tools beside thinking",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errors"],
    },
    {
      at: "openai/resources/chat/completions of the SDK",
      on: "2026-11-27",
      basis: "read",
      tells: ["instructionRole", "limitMember", "reasoningHistory", "n", "cacheBreakpoints", "cacheKeys", "toolKinds"],
    },
    {
      at: "platform.openai.com/docs/guides/error-codes, and the message of models that need a verified organization",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    cacheBreakpoints: true,
    cacheKeys: true,
    toolKinds: "custom",
    errors: [
      { message: "^Your organization must be verified to", means: "unauthenticated" },
      { code: "unsupported_country_region_territory", means: "unauthenticated" },
      { code: "account_deactivated", means: "unauthenticated" },
      { message: "^You must be a member of an organization to use the API", means: "unauthenticated" },
      { message: "^This is not a chat model\\b", means: "route_not_found" },
      { message: "^This model is only supported in v1/", means: "route_not_found" },
      { message: "^Function tools with reasoning_effort are not supported", means: "route_not_found" },
    ],
  },
} as const satisfies Server;
