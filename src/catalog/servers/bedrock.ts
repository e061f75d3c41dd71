import type { Server } from "../server.ts";

/** Amazon Bedrock. */
export const bedrock = {
  at: ["amazonaws.com"],
  sources: [
    {
      at: "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
      on: "2026-11-29",
      tells: ["ends"],
    },
  ],
  facts: {
    ends: {
      content_filtered: "content_filter",
      guardrail_intervened: "content_filter",
      malformed_model_output: "failed",
      malformed_tool_use: "failed",
    },
  },
} as const satisfies Server;
