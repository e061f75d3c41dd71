import type { Server } from "../server.ts";

/** SiliconFlow. */
export const siliconflow = {
  at: ["siliconflow.cn", "siliconflow.com"],
  sources: [
    {
      at: "docs.siliconflow.cn/faqs/error-code: codes beside messages",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "docs.siliconflow.cn/docs/api/chat-completions-post: enable_thinking, thinking_budget, reasoning_effort",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "efforts", "thinkingSwitch", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    efforts: ["high", "max"],
    thinkingSwitch: "enable_thinking",
    toolKinds: "functions",
    errors: [
      { message: "^length of prompt_tokens .{0,40}must be less than max_seq_len", means: "context_length" },
      { code: "20012", message: "model", means: "model_not_found" },
      { code: "30001", message: "balance", means: "quota_exceeded" },
      { code: "50505", message: "overload|busy", means: "overloaded" },
    ],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
