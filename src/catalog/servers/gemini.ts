import type { Server } from "../server.ts";

/** gemini. */
export const gemini = {
  at: ["generativelanguage.googleapis.com", "aiplatform.googleapis.com"],
  sources: [
    {
      at: "ai.google.dev/api/generate-content, FinishReason: the Chat route says some in these words",
      on: "2026-11-28",
      tells: ["ends"],
    },
    {
      at: "cloud.google.com/vertex-ai/generative-ai/docs/migrate/openai/overview, of which other parameters are ignored",
      on: "2026-11-27",
      tells: ["limitMember", "reasoningHistory", "parallelToolCalls", "n", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    ends: {
      MAX_TOKENS: "length",
      SAFETY: "content_filter",
      RECITATION: "content_filter",
      BLOCKLIST: "content_filter",
      PROHIBITED_CONTENT: "content_filter",
      SPII: "content_filter",
      IMAGE_SAFETY: "content_filter",
      LANGUAGE: "content_filter",
      MALFORMED_FUNCTION_CALL: "failed",
      UNEXPECTED_TOOL_CALL: "failed",
      STOP: "stop",
    },
    limitMember: "max_tokens",
    reasoningHistory: "refused",
    parallelToolCalls: false,
    n: 8,
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
