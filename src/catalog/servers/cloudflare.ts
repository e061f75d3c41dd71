import type { Server } from "../server.ts";

/** Cloudflare Workers AI. */
export const cloudflare = {
  at: ["api.cloudflare.com"],
  sources: [
    {
      at: "most of its models take the older name, and functions; its page of the OpenAI format says nothing of it",
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
