import type { Server } from "../server.ts";

/** ollama. */
export const ollama = {
  at: ["ollama.com", ":11434"],
  sources: [
    {
      at: "docs.ollama.com/api/openai-compatibility; ollama/ollama, openai/openai.go",
      on: "2026-11-27",
      tells: ["limitMember", "content", "reasoningMember", "parallelToolCalls", "toolKinds"],
    },
  ],
  // It makes a message of each part.
  facts: {
    limitMember: "max_tokens",
    content: "text",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
