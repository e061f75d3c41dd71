import type { Server } from "../server.ts";

/** gemini. */
export const gemini = {
  at: ["generativelanguage.googleapis.com", "aiplatform.googleapis.com"],
  sources: [
    {
      at: "ai.google.dev/gemini-api/docs/troubleshooting and docs/api-key: 400 of a key, a region and an account; uni-api#140, sub2api#1709",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "ai.google.dev/gemini-api/docs/openai: thinking of 2.5 Pro and 3 cannot be switched off",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["efforts", "modelThinking"],
    },
    {
      at: "ai.google.dev/api/generate-content, FinishReason: the Chat route says some in these words",
      on: "2026-11-28",
      basis: "reported",
      tells: ["ends"],
    },
    {
      at: "cloud.google.com/vertex-ai/generative-ai/docs/migrate/openai/overview, of which other parameters are ignored",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "reasoningHistory", "parallelToolCalls", "n", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    ends: {
      SAFETY: "content_filter",
      RECITATION: "content_filter",
      BLOCKLIST: "content_filter",
      PROHIBITED_CONTENT: "content_filter",
      SPII: "content_filter",
      IMAGE_SAFETY: "content_filter",
      LANGUAGE: "content_filter",
      IMAGE_PROHIBITED_CONTENT: "content_filter",
      IMAGE_RECITATION: "content_filter",
      MODEL_ARMOR: "content_filter",
      MALFORMED_FUNCTION_CALL: "failed",
      MALFORMED_RESPONSE: "failed",
      TOO_MANY_TOOL_CALLS: "failed",
      UNEXPECTED_TOOL_CALL: "failed",
    },
    limitMember: "max_tokens",
    reasoningHistory: "refused",
    parallelToolCalls: false,
    n: 8,
    logprobs: false,
    toolKinds: "functions",
    efforts: ["none", "minimal", "low", "medium", "high"],
    modelThinking: [
      { models: "gemini-(?:2\\.5-pro|3)", efforts: ["minimal", "low", "medium", "high"] },
      { models: "gemini-(?:1|2\\.0)", thinks: false },
    ],
    errors: [
      { message: "input token count is \\d+ but the model supports", means: "context_length" },
      { message: "^\\* GenerateContentRequest\\.model: unexpected model name format", means: "model_not_found" },
      { code: "API_KEY_INVALID", means: "unauthenticated" },
      { code: "API_KEY_SERVICE_BLOCKED", means: "unauthenticated" },
      { message: "^API key (?:not valid|not found|expired)", means: "unauthenticated" },
      {
        message: "^(?:Please pass a valid API key|Multiple authentication credentials received)",
        means: "unauthenticated",
      },
      { code: "CONSUMER_SUSPENDED", means: "unauthenticated" },
      { code: "SERVICE_DISABLED", means: "unauthenticated" },
      { code: "BILLING_DISABLED", means: "quota_exceeded" },
      { message: "^This API method requires billing to be enabled", means: "quota_exceeded" },
      { message: "^User location is not supported for the API use", means: "unauthenticated" },
      { message: "^Gemini API free tier is not available in your country", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
