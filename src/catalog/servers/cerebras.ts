import { GPT_OSS } from "../facts.ts";
import type { Server } from "../server.ts";

/** Cerebras. */
export const cerebras = {
  at: ["cerebras.ai"],
  below: "/v1",
  sources: [
    {
      at: "inference-docs.cerebras.ai/capabilities/reasoning and resources/openai: parallel_tool_calls is 400",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "reasoningMember", "parallelToolCalls", "efforts", "modelThinking", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    efforts: ["low", "medium", "high"],
    modelThinking: [GPT_OSS, { models: "glm", efforts: ["none"] }, { models: "llama", thinks: false }],
    toolKinds: "functions",
  },
} as const satisfies Server;
