import type { Server } from "../server.ts";

/** together. */
export const together = {
  at: ["together.xyz", "together.ai"],
  sources: [
    {
      at: "together-ai 0.52, resources/chat/completions: CompletionCreateParams has no parallel_tool_calls",
      on: "2026-11-27",
      tells: ["limitMember", "reasoningMember", "parallelToolCalls", "n", "logprobs", "toolKinds"],
    },
  ],
  // Its `logprobs` is a number.
  facts: {
    limitMember: "max_tokens",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    n: 128,
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
