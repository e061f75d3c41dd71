import type { Server } from "../server.ts";

/** Cohere's compatibility API. */
export const cohere = {
  at: ["api.cohere.ai", "api.cohere.com"],
  sources: [
    {
      at: "docs.cohere.com/reference/errors and reference/chat, finish_reason: words of its own API",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends", "errors"],
    },
    {
      at: "cohere-ai/cohere-developer-experience, fern/pages/v2/text-generation/compatibility-api.mdx: max_tokens, none and high alone, parallel_tool_calls unsupported",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember", "parallelToolCalls", "efforts"],
    },
    {
      at: "the list of supported parameters there has tools of functions, and no tool_choice",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["toolChoices", "toolKinds"],
    },
  ],
  facts: {
    ends: {
      COMPLETE: "stop",
      TOOL_CALL: "tool_use",
      ERROR_LIMIT: "context_window",
      ERROR_TOXIC: "content_filter",
      TIMEOUT: "failed",
      USER_CANCEL: "failed",
    },
    limitMember: "max_tokens",
    toolChoices: "words",
    parallelToolCalls: false,
    efforts: ["none", "high"],
    toolKinds: "functions",
    errors: [
      { message: "^invalid api token", means: "unauthenticated" },
      { message: "^model \\S{1,200} was removed on", means: "model_not_found" },
      { message: "^too many tokens: ", means: "context_length" },
      { message: "total number of tokens in the prompt cannot exceed", means: "context_length" },
    ],
  },
} as const satisfies Server;
