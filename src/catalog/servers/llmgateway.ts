import type { Server } from "../server.ts";

/** LLM Gateway. */
export const llmgateway = {
  at: ["llmgateway.io"],
  sources: [
    {
      at: "docs.llmgateway.io/features/cost-breakdown: without storage",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [{ members: ["cost_usd_total"] }],
  },
} as const satisfies Server;
