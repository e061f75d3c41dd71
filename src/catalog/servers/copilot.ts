import type { Server } from "../server.ts";

/** GitHub Copilot. */
export const copilot = {
  at: ["githubcopilot.com"],
  sources: [
    {
      at: "badlogic/pi-mono, overflow patterns; zed-industries/zed: model_not_supported with 400",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    errors: [
      { code: "model_max_prompt_tokens_exceeded", means: "context_length" },
      { message: "^prompt token count of \\d+ exceeds the limit", means: "context_length" },
      { code: "model_not_supported", means: "model_not_found" },
    ],
  },
} as const satisfies Server;
