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
    {
      at: "openrouter.ai/docs/cookbook/administration/usage-accounting; an answer with a key of one's own: mastra#20336",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reasoningMember: "reasoning",
    // With a key of the account's own for the provider, `cost` is OpenRouter's fee alone.
    reportedCosts: [
      { members: ["cost", "cost_details.upstream_inference_cost"], onlyIf: "is_byok" },
      { members: ["cost"], unless: "is_byok" },
    ],
    errors: [
      { message: "^\\S{1,200} is not a valid model ID$", means: "model_not_found" },
      { message: "^No endpoints found that (?:support|can handle)\\b", means: "invalid_request" },
      { message: "^No (?:allowed )?(?:endpoints|providers) (?:found|are available)", means: "model_not_found" },
      { message: "^(?:Insufficient credits|Key limit exceeded)", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
