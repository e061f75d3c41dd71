import type { Server } from "../server.ts";

/** Cloudflare Workers AI. */
export const cloudflare = {
  at: ["api.cloudflare.com"],
  sources: [
    {
      at: "developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility",
      on: "2026-11-29",
      tells: ["limitMember", "parallelToolCalls", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    parallelToolCalls: false,
    toolKinds: "functions",
  },
} as const satisfies Server;
