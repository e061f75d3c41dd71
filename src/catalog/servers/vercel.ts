import type { Server } from "../server.ts";

/** Vercel's AI Gateway. */
export const vercel = {
  at: ["ai-gateway.vercel.sh"],
  sources: [
    {
      at: "BerriAI/litellm#14002 and Kilo-Org/cloud#5333: the cost of a call, and of one with a key of one's own",
      on: "2026-11-30",
      basis: "reported",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [
      { members: ["cost", "cost_details.upstream_inference_cost"], onlyIf: "is_byok" },
      { members: ["cost"], unless: "is_byok" },
    ],
  },
} as const satisfies Server;
