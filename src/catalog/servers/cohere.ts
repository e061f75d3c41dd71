import type { Server } from "../server.ts";

/** Cohere's compatibility API. */
export const cohere = {
  at: ["api.cohere.ai", "api.cohere.com"],
  sources: [
    {
      at: "docs.cohere.com/docs/compatibility-api, supported and unsupported parameters",
      on: "2026-11-29",
      tells: ["limitMember", "toolChoices", "parallelToolCalls", "efforts", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "words",
    parallelToolCalls: false,
    efforts: ["none", "high"],
    toolKinds: "functions",
  },
} as const satisfies Server;
