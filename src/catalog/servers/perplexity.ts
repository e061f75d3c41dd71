import type { Server } from "../server.ts";

/** Perplexity, which searches before it answers, and charges for the request too. */
export const perplexity = {
  at: ["perplexity.ai"],
  sources: [
    {
      at: "lmstudio.ai/alex-garbar/api-docs, dist/docs/perplexity.js: its request has max_tokens alone",
      on: "2026-12-01",
      basis: "reported",
      tells: ["limitMember"],
    },
    {
      at: "vercel/ai#13705: usage.cost.total_cost, compared with its live API",
      on: "2026-11-30",
      basis: "reported",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    reportedCosts: [{ members: ["cost.total_cost"] }],
  },
} as const satisfies Server;
