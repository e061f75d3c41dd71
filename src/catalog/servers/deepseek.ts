import type { Server } from "../server.ts";

/** deepseek. */
export const deepseek = {
  at: ["deepseek.com"],
  sources: [
    { at: "api-docs.deepseek.com/api/create-chat-completion", on: "2026-11-27", tells: ["ends"] },
    {
      at: "api-docs.deepseek.com/guides/thinking_mode, api-docs.deepseek.com/api/create-chat-completion",
      on: "2026-11-27",
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
  },
} as const satisfies Server;
