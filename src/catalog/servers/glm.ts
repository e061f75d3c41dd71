import type { Server } from "../server.ts";

/** GLM of Z.ai (Zhipu). */
export const glm = {
  at: ["z.ai", "bigmodel.cn"],
  sources: [
    {
      at: "docs.z.ai/api-reference/llm/chat-completion: finish_reason, tool_choice, max_tokens, thinking",
      on: "2026-11-28",
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
  },
} as const satisfies Server;
