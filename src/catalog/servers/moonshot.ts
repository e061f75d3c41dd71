import type { Server } from "../server.ts";

/** moonshot. */
export const moonshot = {
  at: ["moonshot.ai", "moonshot.cn", "kimi.com"],
  sources: [
    {
      at: "platform.kimi.ai/docs; BerriAI/litellm, llms/moonshot/chat/transformation.py",
      on: "2026-11-27",
      tells: ["limitMember", "content", "reasoningHistory", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    content: "text",
    reasoningHistory: "required",
    logprobs: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
