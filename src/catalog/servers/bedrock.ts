import type { Server } from "../server.ts";

/** Amazon Bedrock. */
export const bedrock = {
  at: ["amazonaws.com"],
  sources: [
    {
      at: "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html, and re:Post: ValidationException of a region, an account and a model's access",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    ends: {
      content_filtered: "content_filter",
      guardrail_intervened: "content_filter",
      malformed_model_output: "failed",
      malformed_tool_use: "failed",
    },
    errors: [
      { message: "Input Tokens Exceeded|Number of input tokens exceeds maximum length", means: "context_length" },
      { message: "^Access to Anthropic models is not allowed from unsupported countries", means: "unauthenticated" },
      {
        message:
          "^(?:The security token included in the request is|Signature expired|The request signature we calculated)",
        means: "unauthenticated",
      },
      { message: "^Your account is not authorized to invoke this API operation", means: "unauthenticated" },
      { message: "^Bearer Token has expired", means: "unauthenticated" },
      { code: "IncompleteSignature", means: "unauthenticated" },
      { code: "RequestExpired", means: "unauthenticated" },
      { message: "^Model access is denied", means: "model_not_found" },
      { message: "^You don't have access to the model with the specified model ID", means: "model_not_found" },
      { message: "^INVALID_PAYMENT_INSTRUMENT", means: "quota_exceeded" },
      { message: "^Operation not allowed$", means: "unauthenticated" },
      { message: "^Model use case details have not been submitted", means: "unauthenticated" },
      {
        message:
          "^(?:The provided model identifier is invalid|Invocation of model ID .{1,200} with on-demand throughput)",
        means: "model_not_found",
      },
    ],
  },
} as const satisfies Server;
