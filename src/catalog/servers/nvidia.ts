import type { Server } from "../server.ts";

/** NVIDIA NIM. */
export const nvidia = {
  at: ["integrate.api.nvidia.com"],
  sources: [
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
  },
} as const satisfies Server;
