import type { Server } from "../server.ts";

/** openrouter. */
export const openrouter = {
  at: ["openrouter.ai"],
  sources: [
    {
      at: "OpenRouterTeam/typescript-sdk, ChatRequest (both limits, no n) and ChatAssistantMessage (reasoning)",
      on: "2026-11-27",
      basis: "read",
      tells: ["reasoningMember"],
    },
    {
      at: "openrouter.ai/docs/api/reference/errors-and-debugging; copilot-bridge#40: 400 of an unknown model",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    reasoningMember: "reasoning",
    errors: [
      { message: "^\\S{1,200} is not a valid model ID$", means: "model_not_found" },
      { message: "^No (?:allowed )?(?:endpoints|providers) (?:found|are available)", means: "model_not_found" },
      { message: "^(?:Insufficient credits|Key limit exceeded)", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
