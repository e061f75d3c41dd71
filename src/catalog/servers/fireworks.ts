import type { Server } from "../server.ts";

/** fireworks. */
export const fireworks = {
  at: ["fireworks.ai"],
  sources: [
    {
      at: "docs.fireworks.ai/guides/reasoning: none, low, medium and high",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["efforts"],
    },
    {
      at: "BerriAI/litellm#39826: on the route of Responses, kimi-k3 and qwen3.8 refuse the role developer",
      on: "2026-11-29",
      basis: "reported",
      tells: ["instructionRole"],
    },
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
    efforts: ["none", "low", "medium", "high"],
    limitMember: "max_tokens",
    n: 128,
    toolKinds: "functions",
    errors: [{ message: "^Account .{1,200} is suspended", means: "quota_exceeded" }],
  },
  routes: { responses: { instructionRole: "system" } },
} as const satisfies Server;
