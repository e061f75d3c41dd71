import type { Server } from "../server.ts";

/** lm-studio. */
export const lmStudio = {
  at: [":1234"],
  below: "/v1",
  runsWeights: true,
  sources: [
    {
      at: "lmstudio-ai/lmstudio-js, LLMPredictionStopReason: the words of its own API",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "lmstudio.ai/docs/developer/openai-compat; lmstudio-ai/lmstudio-bug-tracker#189: json_object is 400",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "toolChoices", "parallelToolCalls", "responseFormats", "logprobs", "toolKinds"],
    },
    {
      at: "lmstudio-ai/lmstudio-bug-tracker: the words of a prompt that overflows, and of no loaded model",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    ends: {
      eosFound: "stop",
      stopStringFound: "stop_sequence",
      toolCalls: "tool_use",
      maxPredictedTokensReached: "length",
      contextLengthReached: "context_window",
      userStopped: "failed",
      modelUnloaded: "failed",
    },
    limitMember: "max_tokens",
    toolChoices: "words",
    parallelToolCalls: false,
    responseFormats: "json_schema_only",
    logprobs: false,
    toolKinds: "functions",
    errors: [
      { message: "^The number of tokens to keep from the initial prompt is greater", means: "context_length" },
      { message: "^Reached context length of \\d+ tokens", means: "context_length" },
      { message: "^Model is unloaded", means: "model_not_found" },
      { message: "^Trying to keep the first \\d+ tokens when context", means: "context_length" },
      { message: "^No models? (?:is |are )?loaded", means: "model_not_found" },
    ],
  },
} as const satisfies Server;
