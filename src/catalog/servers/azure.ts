import type { Server } from "../server.ts";
import { GPT_THINKING } from "./openai.ts";

/** OpenAI on Microsoft Azure. */
export const azure = {
  at: ["openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"],
  sources: [
    {
      at: "learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning: efforts by model, as at OpenAI",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["modelThinking"],
    },
    {
      at: "learn.microsoft.com/azure/foundry/openai/how-to/reasoning, and openai/latest of the REST reference",
      on: "2026-11-27",
      basis: "read",
      tells: ["instructionRole", "limitMember", "reasoningHistory", "n", "toolKinds"],
    },
    {
      at: "learn.microsoft.com/azure/ai-foundry/openai: errors of a deployment whose model has not the operation",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "learn.microsoft.com/azure/foundry/openai/how-to/flex-processing: Responses and Chat, 400 for other models",
      on: "2026-12-01",
      basis: "read",
      tells: ["flexTier"],
    },
  ],
  facts: {
    flexTier: true,
    modelThinking: GPT_THINKING,
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    toolKinds: "custom",
    errors: [
      { code: "OperationNotSupported", means: "model_not_found" },
      { code: "UnsupportedApiVersion", means: "route_not_found" },
      { code: "InvalidResourceState", means: "failed" },
      { message: "^Token tenant \\S{1,100} does not match resource tenant", means: "unauthenticated" },
    ],
  },
} as const satisfies Server;
