import { GPT_OSS } from "../facts.ts";
import type { Server } from "../server.ts";

/** ollama. */
export const ollama = {
  at: ["ollama.com", ":11434"],
  below: "/v1",
  runsWeights: true,
  sources: [
    {
      at: "ollama 0.17.4: 500 of a picture for a model without eyes",
      on: "2026-11-29",
      basis: "run",
      tells: ["errors"],
    },
    {
      at: "Ollama 0.17.4: a model that does not think refuses an effort, one that thinks does so too, and xhigh, max and minimal are refused by all; Messages and Responses ignore efforts",
      on: "2026-11-30",
      basis: "run",
      tells: ["efforts", "effortModels", "tellsCuts", "thinkingSwitch", "ignored"],
    },
    {
      at: "Ollama 0.17.4: it ignores tool_choice, max_completion_tokens, and the schemas of Messages, which reads the text of a turn before the results of tools in it",
      on: "2026-11-30",
      basis: "run",
      tells: ["toolChoices", "limitMember", "ignored", "mixesResults", "reasoningMember"],
    },
    {
      at: "github.com/ollama/ollama/issues/18121: models of its cloud take efforts",
      on: "2026-11-30",
      basis: "reported",
      tells: ["modelThinking"],
    },
    {
      at: "Ollama 0.17.4, openai/openai.go, and server/routes.go: gpt-oss alone takes an effort",
      on: "2026-11-30",
      basis: "read",
      tells: ["content", "parallelToolCalls", "toolKinds", "modelThinking"],
    },
  ],
  // It makes a message of each part.
  facts: {
    limitMember: "max_tokens",
    content: "text",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    toolKinds: "functions",
    toolChoices: "auto",
    efforts: ["none"],
    modelThinking: [GPT_OSS, { models: "cloud$", efforts: ["none", "low", "medium", "high"] }],
    effortModels: "thinking",
    errors: [
      { message: "^this model is missing data required for image input", means: "invalid_request" },
      { message: "^\\S{1,200} does not support (?:tools|chat|thinking|completion)\\b", means: "invalid_request" },
    ],
  },
  routes: {
    messages: { ignored: ["reasoning.effort", "output_format"], mixesResults: false },
    responses: { efforts: [], modelThinking: [], thinkingSwitch: "none", tellsCuts: false },
  },
} as const satisfies Server;
