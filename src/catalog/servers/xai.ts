import type { Server } from "../server.ts";

/** xai. */
export const xai = {
  at: ["x.ai"],
  sources: [
    {
      at: "docs.rs/xai-openapi, chat::ChatRequest and Message; docs.x.ai/docs/api-reference",
      on: "2026-11-27",
      tells: ["limitMember", "n", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_completion_tokens",
    n: 8,
    toolKinds: "functions",
  },
} as const satisfies Server;
