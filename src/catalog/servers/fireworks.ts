import type { Server } from "../server.ts";

/** fireworks. */
export const fireworks = {
  at: ["fireworks.ai"],
  sources: [
    {
      at: "docs.fireworks.ai/api-reference/post-chatcompletions",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "n", "toolKinds"],
    },
    {
      at: "docs.fireworks.ai/guides/inference-error-codes: 412 of a suspended account",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    n: 128,
    toolKinds: "functions",
    errors: [{ message: "^Account .{1,200} is suspended", means: "quota_exceeded" }],
  },
} as const satisfies Server;
