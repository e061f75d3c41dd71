import type { Server } from "../server.ts";

/** openrouter. */
export const openrouter = {
  at: ["openrouter.ai"],
  sources: [
    {
      at: "OpenRouterTeam/typescript-sdk, ChatRequest (both limits, no n) and ChatAssistantMessage (reasoning)",
      on: "2026-11-27",
      tells: ["reasoningMember"],
    },
  ],
  facts: {
    reasoningMember: "reasoning",
  },
} as const satisfies Server;
