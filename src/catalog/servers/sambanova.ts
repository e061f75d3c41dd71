import type { Server } from "../server.ts";

/** SambaNova. */
export const sambanova = {
  at: ["sambanova.ai"],
  sources: [
    {
      at: "docs.sambanova.ai/docs/api-reference/chat-completions: the maximum number of tokens under both names",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember"],
    },
    {
      at: "it takes functions",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
  },
} as const satisfies Server;
