import type { Server } from "../server.ts";

/** groq. */
export const groq = {
  at: ["groq.com"],
  sources: [
    {
      at: "console.groq.com/docs/openai: logprobs, and n above 1, are 400",
      on: "2026-11-27",
      tells: ["limitMember", "reasoningMember", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
