import type { Server } from "../server.ts";

/** text-generation-inference of Hugging Face. */
export const tgi = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "it takes max_tokens, and functions",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
  },
} as const satisfies Server;
