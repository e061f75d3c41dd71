import type { Server } from "../server.ts";

/** Databricks Model Serving. */
export const databricks = {
  at: ["cloud.databricks.com", "gcp.databricks.com", "azuredatabricks.net"],
  sources: [
    {
      at: "anomalyco/opencode#4698: 400 for stream_options where Bedrock serves the model",
      on: "2026-11-29",
      basis: "reported",
      tells: ["streamOptions"],
    },
    {
      at: "docs.databricks.com/api, error_code beside message; learn.microsoft.com/azure/databricks/machine-learning/model-serving, errors",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors", "errorPlaces"],
    },
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
    streamOptions: false,
    errorPlaces: [{ code: "error_code", message: "message" }],
    limitMember: "max_tokens",
    toolKinds: "functions",
    errors: [
      { message: "prompt token count \\(\\d+\\) cannot exceed", means: "context_length" },
      { code: "ENDPOINT_NOT_FOUND", means: "model_not_found" },
      { code: "RESOURCE_DOES_NOT_EXIST", means: "model_not_found" },
      { code: "REQUEST_LIMIT_EXCEEDED", means: "rate_limited" },
      { code: "TEMPORARILY_UNAVAILABLE", means: "overloaded" },
      { message: "^Invalid (?:access )?token\\.?$", means: "unauthenticated" },
      { code: "PERMISSION_DENIED", means: "unauthenticated" },
    ],
  },
} as const satisfies Server;
