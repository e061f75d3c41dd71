import type { Server } from "../server.ts";

/** transformers serve of Hugging Face. */
export const transformers = {
  at: [],
  sources: [
    {
      at: "transformers serve 5.19.0, run: it ignores stop, n, schemas, pictures and efforts",
      on: "2026-11-28",
      tells: [
        "limitMember",
        "toolChoices",
        "parallelToolCalls",
        "responseFormats",
        "logprobs",
        "efforts",
        "thinkingSwitch",
        "toolKinds",
        "tellsCuts",
      ],
    },
  ],
  facts: {
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
