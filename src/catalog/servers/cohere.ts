import type { Server } from "../server.ts";

/** Cohere's compatibility API. */
export const cohere = {
  at: ["api.cohere.ai", "api.cohere.com"],
  sources: [
    {
      at: "cohere-ai/cohere-developer-experience, fern/pages/v2/text-generation/compatibility-api.mdx: max_tokens, none and high alone, parallel_tool_calls unsupported",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember", "parallelToolCalls", "efforts"],
    },
    {
      at: "the list of supported parameters there has tools of functions, and no tool_choice",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["toolChoices", "toolKinds"],
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
