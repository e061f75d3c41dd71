import type { Server } from "../server.ts";

/** Databricks Model Serving. */
export const databricks = {
  at: ["cloud.databricks.com", "gcp.databricks.com", "azuredatabricks.net"],
  sources: [
    {
      at: "learn.microsoft.com/azure/databricks/generative-ai/foundation-models/query-by-type: max_tokens",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember"],
    },
    {
      at: "it takes functions",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
  },
} as const satisfies Server;
