import type { Server } from "../server.ts";

/** Databricks Model Serving. */
export const databricks = {
  at: ["cloud.databricks.com", "gcp.databricks.com", "azuredatabricks.net"],
  sources: [
    {
      at: "docs.databricks.com/aws/machine-learning/foundation-model-apis/api-reference, chat request",
      on: "2026-11-29",
      tells: ["limitMember", "parallelToolCalls", "efforts", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    parallelToolCalls: false,
    efforts: ["low", "medium", "high"],
    toolKinds: "functions",
  },
} as const satisfies Server;
