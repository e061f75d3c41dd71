import type { Server } from "../server.ts";

/** DeepInfra, a host of open models. */
export const deepinfra = {
  at: ["deepinfra.com"],
  sources: [
    {
      at: "an answer in M-Lai-ai/LLM-Provider-reference, DeepInfra.md",
      on: "2026-11-30",
      basis: "reported",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [{ members: ["estimated_cost"] }],
  },
} as const satisfies Server;
