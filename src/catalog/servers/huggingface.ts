import type { Server } from "../server.ts";

/** Hugging Face's router of providers. */
export const huggingface = {
  at: ["router.huggingface.co"],
  sources: [
    {
      at: "huggingface.co/docs/inference-providers/tasks/chat-completion",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
  },
} as const satisfies Server;
