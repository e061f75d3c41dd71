import type { Server } from "../server.ts";

/** transformers serve of Hugging Face. */
export const transformers = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "transformers serve 5.19.0: it knows max_tokens alone, ignores n, stop and schemas, and calls cut Responses complete",
      on: "2026-11-28",
      basis: "run",
      tells: ["limitMember", "responseFormats", "tellsCuts", "ignored"],
    },
    {
      at: "what has no place in its handler of chat completions, huggingface/transformers, src/transformers/cli/serving",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["toolChoices", "parallelToolCalls", "logprobs", "efforts", "thinkingSwitch", "toolKinds"],
    },
  ],
  facts: {
    ignored: ["stop_sequences"],
    limitMember: "max_tokens",
    toolChoices: "auto",
    parallelToolCalls: false,
    responseFormats: "none",
    logprobs: false,
    efforts: [],
    thinkingSwitch: "none",
    toolKinds: "functions",
  },
  routes: {
    responses: { tellsCuts: false },
  },
} as const satisfies Server;
