import type { Server } from "../server.ts";

/** AI/ML API, a gateway. */
export const aimlapi = {
  at: ["aimlapi.com"],
  sources: [
    {
      at: "docs.aimlapi.com/capabilities/request-tracing-and-cost: of whole JSON answers",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    reportedCosts: [{ header: "x-aimlapi-usd-spent" }],
  },
} as const satisfies Server;
