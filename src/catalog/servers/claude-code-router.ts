import type { Server } from "../server.ts";

/** Claude Code Router, which speaks Messages alone. */
export const claudeCodeRouter = {
  at: [":3456"],
  sources: [
    {
      at: "claude-code-router 2.0.0 before llama-server: it passes on no stop sequences and no schema, the choice `any` as a word that Chat servers refuse, and its provider's thinking in the text",
      on: "2026-11-30",
      basis: "run",
      tells: ["ignored", "toolChoices", "thinkTags"],
    },
  ],
  facts: {
    ignored: ["stop_sequences", "output_format"],
    toolChoices: "auto",
    thinkTags: true,
  },
} as const satisfies Server;
