import type { Server } from "../server.ts";

/** SiliconFlow. */
export const siliconflow = {
  at: ["siliconflow.cn", "siliconflow.com"],
  sources: [
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
  },
} as const satisfies Server;
