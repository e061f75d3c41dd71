import type { Server } from "../server.ts";

/** MiniMax. */
export const minimax = {
  at: ["minimax.io", "minimaxi.com", "minimax.chat"],
  sources: [
    {
      at: "platform.minimax.io/docs/api-reference/errorcode; errors stand in base_resp inside 200",
      on: "2026-11-29",
      tells: ["errors", "errorPlaces"],
    },
  ],
  facts: {
    errors: [
      { code: "1002", message: "rate limit|too many|rpm|tpm", means: "rate_limited" },
      { code: "1004", means: "unauthenticated" },
      { code: "1008", means: "quota_exceeded" },
      { code: "1026", means: "content_filtered" },
      { code: "1027", means: "content_filtered" },
      { code: "1039", message: "token", means: "context_length" },
      { code: "2049", means: "unauthenticated" },
    ],
    errorPlaces: [{ member: "base_resp", code: "status_code", message: "status_msg", success: ["0"] }],
  },
} as const satisfies Server;
