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
    { at: "ollama 0.17.4, run: 500 of a picture for a model without eyes", on: "2026-11-29", tells: ["errors"] },
  ],
  // It makes a message of each part.
  facts: {
    limitMember: "max_tokens",
    content: "text",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    toolKinds: "functions",
    errors: [{ message: "^this model is missing data required for image input", means: "invalid_request" }],
  },
} as const satisfies Server;
