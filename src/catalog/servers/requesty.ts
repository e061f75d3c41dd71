import type { Server } from "../server.ts";

/** Requesty, a gateway. */
export const requesty = {
  at: ["requesty.ai"],
  sources: [
    {
      at: "api-evangelist/requesty, finops: each answer has its cost in USD",
      on: "2026-11-30",
      basis: "reported",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [{ members: ["cost"] }],
  },
} as const satisfies Server;
