import type { Server } from "../server.ts";

/** litellm. */
export const litellm = {
  at: [],
  sources: [
    {
      at: "docs.litellm.ai/docs/completion/input: it maps what its provider does not take",
      on: "2026-11-27",
      tells: ["instructionRole", "limitMember", "n"],
    },
  ],
  facts: {
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    n: 128,
  },
} as const satisfies Server;
