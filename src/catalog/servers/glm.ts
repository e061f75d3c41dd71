import type { Server } from "../server.ts";

/** GLM of Z.ai (Zhipu). */
export const glm = {
  at: ["z.ai", "bigmodel.cn"],
  sources: [
    {
      at: "docs.z.ai/api-reference/api-code: codes of an account, a model, a prompt that is too long, and rates",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors", "errorPlaces"],
    },
    {
      at: "docs.z.ai/guides/capabilities/thinking-mode: a switch alone",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["efforts"],
    },
    {
      at: "docs.z.ai/api-reference/llm/chat-completion: finish_reason, tool_choice, max_tokens, thinking",
      on: "2026-11-28",
      basis: "reported",
      tells: ["ends", "limitMember", "toolChoices", "thinkingSwitch", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "auto",
    thinkingSwitch: "thinking",
    ends: {
      model_context_window_exceeded: "context_window",
      sensitive: "content_filter",
      network_error: "failed",
    },
    toolKinds: "functions",
    efforts: [],
    errors: [
      { code: "1000", message: "authenticat|token|apikey|api key|expired", means: "unauthenticated" },
      { code: "1002", message: "token|authenticat", means: "unauthenticated" },
      { code: "1003", message: "token|authenticat", means: "unauthenticated" },
      { code: "1110", means: "unauthenticated" },
      { code: "1112", means: "unauthenticated" },
      { code: "1113", means: "quota_exceeded" },
      { code: "1121", message: "账户|account", means: "unauthenticated" },
      { code: "1211", means: "model_not_found" },
      { code: "1221", means: "model_not_found" },
      { code: "1261", means: "context_length" },
      { code: "1301", means: "content_filtered" },
      { code: "1302", means: "rate_limited" },
      { code: "1303", means: "rate_limited" },
      { code: "1305", means: "rate_limited" },
      { code: "1308", means: "quota_exceeded" },
      { code: "1309", means: "quota_exceeded" },
    ],
    errorPlaces: [{ code: "code", message: "msg" }],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
