import type { Server } from "../server.ts";

/** NVIDIA NIM. */
export const nvidia = {
  at: ["integrate.api.nvidia.com"],
  sources: [
    {
      at: "forums.developer.nvidia.com: 404 of a model that the account does not have",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errors"],
    },
    {
      at: "docs.api.nvidia.com/nim/reference, chat completions",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
    errors: [
      { message: "^Function '[^']{1,200}': Not found for account", means: "model_not_found" },
      { message: "^(?:Function id .{1,200}?\\bDEGRADED\\b|DEGRADED function\\b)", means: "overloaded" },
    ],
  },
} as const satisfies Server;
