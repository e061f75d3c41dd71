import type { Server } from "../server.ts";

/** Hugging Face's router of providers. */
export const huggingface = {
  at: ["router.huggingface.co"],
  sources: [
    {
      at: "discuss.huggingface.co: models that no provider serves, and spent credits",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errors"],
    },
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
    errors: [
      {
        message: "^(?:The requested )?Model .{1,200} is not supported (?:for task|by any provider)",
        means: "model_not_found",
      },
      { message: "^https://\\S{1,200} is no longer supported\\. Please use https", means: "route_not_found" },
      { message: "^You have exceeded your monthly included credits", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
