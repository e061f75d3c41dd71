import type { Server } from "../server.ts";

/** lm-studio. */
export const lmStudio = {
  at: [":1234"],
  sources: [
    {
      at: "lmstudio.ai/docs/developer/openai-compat; lmstudio-ai/lmstudio-bug-tracker#189: json_object is 400",
      on: "2026-11-27",
      tells: ["limitMember", "toolChoices", "parallelToolCalls", "responseFormats", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "words",
    parallelToolCalls: false,
    responseFormats: "json_schema_only",
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
