import type { Server } from "../server.ts";

/** ollama. */
export const ollama = {
  at: ["ollama.com", ":11434"],
  runsWeights: true,
  sources: [
    {
      at: "ollama 0.17.4: 500 of a picture for a model without eyes",
      on: "2026-11-29",
      basis: "run",
      tells: ["errors"],
    },
    {
      at: "Ollama 0.17.4: a model that does not think refuses an effort, and xhigh and minimal are refused; Messages ignores efforts",
      on: "2026-11-28",
      basis: "run",
      tells: ["efforts", "effortModels", "tellsCuts", "thinkingSwitch", "ignored"],
    },
    {
      at: "docs.ollama.com/api/openai-compatibility; ollama/ollama, openai/openai.go",
      on: "2026-11-27",
      basis: "read",
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
    efforts: ["none", "low", "medium", "high", "max"],
    effortModels: "thinking",
    errors: [
      { message: "^this model is missing data required for image input", means: "invalid_request" },
      { message: "^\\S{1,200} does not support (?:tools|chat|thinking|completion)\\b", means: "invalid_request" },
    ],
  },
  routes: {
    messages: { ignored: ["reasoning.effort"] },
    responses: { efforts: [], thinkingSwitch: "none", tellsCuts: false },
  },
} as const satisfies Server;
