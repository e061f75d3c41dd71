import type { Server } from "../server.ts";

/** Bifrost, a gateway. */
export const bifrost = {
  at: [],
  sources: [
    {
      at: "docs.getbifrost.ai/providers: max_completion_tokens becomes what the provider knows",
      on: "2026-11-29",
      tells: ["instructionRole", "limitMember"],
    },
  ],
  facts: {
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
  },
} as const satisfies Server;
