import type { Server } from "../server.ts";

/** SambaNova. */
export const sambanova = {
  at: ["sambanova.ai"],
  sources: [
    {
      at: "docs.sambanova.ai/docs/en/features/openai-compatibility, unsupported parameters",
      on: "2026-11-29",
      tells: ["limitMember", "parallelToolCalls", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    parallelToolCalls: false,
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
