import type { Server } from "../server.ts";

/** Perplexity, which searches before it answers, and charges for the request too. */
export const perplexity = {
  at: ["perplexity.ai"],
  sources: [
    {
      at: "vercel/ai#13705: usage.cost.total_cost, compared with its live API",
      on: "2026-11-30",
      basis: "reported",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [{ members: ["cost.total_cost"] }],
  },
} as const satisfies Server;
