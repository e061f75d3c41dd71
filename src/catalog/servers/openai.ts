import type { Server } from "../server.ts";

/** OpenAI's API. */
export const openai = {
  at: ["api.openai.com"],
  sources: [
    {
      at: "openai/resources/chat/completions of the SDK",
      on: "2026-11-27",
      tells: ["instructionRole", "limitMember", "reasoningHistory", "n", "cacheBreakpoints", "cacheKeys", "toolKinds"],
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
  },
} as const satisfies Server;
