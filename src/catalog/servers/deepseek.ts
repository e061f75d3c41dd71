import type { Server } from "../server.ts";

/** deepseek. */
export const deepseek = {
  at: ["deepseek.com"],
  sources: [
    {
      at: "BerriAI/litellm#37470, deepseek-ai/DeepSeek-V3#1376: no call is demanded while a model thinks; vellum-ai/vellum-assistant#40689: nor none",
      on: "2026-11-30",
      basis: "reported",
      tells: ["thinkingChoices"],
    },
    {
      at: "api-docs.deepseek.com/quick_start/error_codes; NousResearch/hermes-agent#40066: Model Not Exist with 400",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "api-docs.deepseek.com/guides/thinking_mode; BerriAI/litellm#27453: none is ignored",
      on: "2026-11-28",
      basis: "reported",
      tells: ["efforts", "thinkingSwitch"],
    },
    { at: "api-docs.deepseek.com/api/create-chat-completion", on: "2026-11-27", basis: "read", tells: ["ends"] },
    {
      at: "api-docs.deepseek.com/guides/thinking_mode, api-docs.deepseek.com/api/create-chat-completion",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "content", "reasoningHistory", "parallelToolCalls", "responseFormats", "toolKinds"],
    },
  ],
  facts: {
    ends: { insufficient_system_resource: "failed" },
    limitMember: "max_tokens",
    content: "text",
    reasoningHistory: "required",
    parallelToolCalls: false,
    responseFormats: "json_object",
    toolKinds: "functions",
    efforts: ["low", "high", "max"],
    thinkingSwitch: "thinking",
    thinkingChoices: "auto",
    errors: [
      { message: "^Content Exists Risk$", means: "content_filtered" },
      { message: "^Model Not Exist$", means: "model_not_found" },
      { message: "^Insufficient Balance$", means: "quota_exceeded" },
    ],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
