import type { Server } from "../server.ts";

/** MiniMax. */
export const minimax = {
  at: ["minimax.io", "minimaxi.com"],
  sources: [
    {
      at: "agentscope-ai and MiniMax-AI reports: 2013 of an unknown model, new_sensitive, max_output",
      on: "2026-11-29",
      basis: "reported",
      tells: ["ends", "errors"],
    },
    {
      at: "platform.minimax.io/docs/api-reference/errorcode; errors stand in base_resp inside 200",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errorPlaces"],
    },
    {
      at: "platform.minimax.io/docs/api-reference/errorcode; errors stand in base_resp inside 200",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "platform.minimax.io/docs/api-reference/text-openai-api; agentscope-java, MiniMax formatter",
      on: "2026-11-29",
      basis: "assumed",
      tells: [
        "limitMember",
        "toolChoices",
        "parallelToolCalls",
        "responseFormats",
        "efforts",
        "thinkingSwitch",
        "modelThinking",
        "thinkTags",
        "toolKinds",
      ],
    },
  ],
  facts: {
    ends: { max_output: "length" },
    limitMember: "max_completion_tokens",
    toolChoices: "auto",
    parallelToolCalls: false,
    responseFormats: "none",
    efforts: [],
    thinkingSwitch: "adaptive_thinking",
    modelThinking: [{ models: "M2", thinkingSwitch: "none" }],
    thinkTags: true,
    toolKinds: "functions",
    errors: [
      { message: "^invalid params, unknown model\\b", means: "model_not_found" },
      { message: "^(?:input|output) new_sensitive\\b", means: "content_filtered" },
      { code: "2013", message: "invalid params", means: "invalid_request" },
      { code: "2056", message: "usage limit", means: "quota_exceeded" },
      { code: "1002", message: "rate limit|too many|rpm|tpm", means: "rate_limited" },
      { code: "1004", means: "unauthenticated" },
      { code: "1008", means: "quota_exceeded" },
      { code: "1026", means: "content_filtered" },
      { code: "1027", means: "content_filtered" },
      { code: "1039", message: "token", means: "context_length" },
      { code: "2049", means: "unauthenticated" },
    ],
    errorPlaces: [{ member: "base_resp", code: "status_code", message: "status_msg", success: ["0"] }],
  },
  routes: {
    messages: { thinkTags: false },
    responses: { thinkTags: false, thinkingSwitch: "none" },
  },
} as const satisfies Server;
