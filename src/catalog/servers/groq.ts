import { GPT_OSS } from "../facts.ts";
import type { Server } from "../server.ts";

/** groq. */
export const groq = {
  at: ["groq.com"],
  sources: [
    {
      at: "console.groq.com/docs/errors, and the codes of its 400 for models and organizations",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "console.groq.com/docs/reasoning: Qwen 3 has none and default, GPT OSS low to high",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["efforts", "modelThinking"],
    },
    {
      at: "console.groq.com/docs/openai: logprobs, and n above 1, are 400",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "reasoningMember", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    logprobs: false,
    toolKinds: "functions",
    efforts: ["low", "medium", "high"],
    modelThinking: [
      GPT_OSS,
      { models: "qwen3", efforts: ["none"] },
      { models: "llama|kimi|compound|allam", thinks: false },
    ],
    errors: [
      { message: "^Please reduce the length of the messages or completion", means: "context_length" },
      // What its model wrote is no call, or no JSON, and the next one may be.
      { code: "tool_use_failed", means: "failed" },
      { code: "json_validate_failed", means: "failed" },
      { code: "model_decommissioned", means: "model_not_found" },
      { code: "model_terms_required", means: "unauthenticated" },
      { code: "organization_restricted", means: "unauthenticated" },
      { code: "blocked_api_access", means: "quota_exceeded" },
      { code: "model_permission_blocked_org", means: "model_not_found" },
      { code: "model_permission_blocked_project", means: "model_not_found" },
    ],
  },
} as const satisfies Server;
