import type { Server } from "../server.ts";

/** together. */
export const together = {
  at: ["together.xyz", "together.ai"],
  sources: [
    {
      at: "docs.together.ai/reference/chat-completions: finish_reason eos; model_not_available of errors",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends", "errors"],
    },
    {
      at: "together-ai 0.52, resources/chat/completions: CompletionCreateParams has no parallel_tool_calls",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "reasoningMember", "parallelToolCalls", "n", "logprobs", "toolKinds"],
    },
    {
      at: "docs.together.ai/docs/error-codes: 422 of a prompt that is too long",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  // Its `logprobs` is a number.
  facts: {
    limitMember: "max_tokens",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    n: 128,
    logprobs: false,
    toolKinds: "functions",
    ends: { eos: "stop" },
    errors: [
      { code: "model_not_available", means: "model_not_found" },
      { message: "^Unable to access model\\b", means: "model_not_found" },
      { message: "tokens.{0,60}max_new_tokens.{0,20} must be <=", means: "context_length" },
      { message: "^Invalid API key provided", means: "unauthenticated" },
      { message: "^Credit limit exceeded", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
