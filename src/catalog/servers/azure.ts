import type { Server } from "../server.ts";

/** OpenAI on Microsoft Azure. */
export const azure = {
  at: ["openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"],
  sources: [
    {
      at: "learn.microsoft.com/azure/foundry/openai/how-to/reasoning, and openai/latest of the REST reference",
      on: "2026-11-27",
      tells: ["instructionRole", "limitMember", "reasoningHistory", "n", "toolKinds"],
    },
  ],
  facts: {
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    toolKinds: "custom",
  },
} as const satisfies Server;
