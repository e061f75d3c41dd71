import type { Server } from "../server.ts";

/** transformers serve of Hugging Face. */
export const transformers = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "transformers serve 5.19.0: thoughts of models that it has no response template of stay in the text; 400 of another model than the one that it serves",
      on: "2026-11-30",
      basis: "run",
      tells: ["thinkTags", "errors"],
    },
    {
      at: "transformers serve 5.19.0: it knows max_tokens alone, ignores n and schemas, leaves the stop sequence in the text, and calls cut Responses complete",
      on: "2026-11-30",
      basis: "run",
      tells: ["limitMember", "responseFormats", "tellsCuts", "ignored"],
    },
    {
      at: "transformers 5.19.0, cli/serving: UNUSED_CHAT_COMPLETION_FIELDS and UNUSED_RESPONSE_FIELDS are ignored, chat_template_kwargs are taken in Chat alone",
      on: "2026-11-30",
      basis: "read",
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
    thinkingSwitch: "chat_template_kwargs",
    toolKinds: "functions",
    thinkTags: true,
    errors: [{ message: "^server is pinned to ", means: "model_not_found" }],
  },
  routes: {
    responses: { tellsCuts: false, thinkingSwitch: "none", ignored: ["stop_sequences", "output_format"] },
  },
} as const satisfies Server;
