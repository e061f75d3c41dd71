import type { Server } from "../server.ts";

/** fireworks. */
export const fireworks = {
  at: ["fireworks.ai"],
  sources: [
    {
      at: "docs.fireworks.ai/api-reference/post-chatcompletions",
      on: "2026-11-27",
      tells: ["limitMember", "n", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    n: 128,
    toolKinds: "functions",
  },
} as const satisfies Server;
