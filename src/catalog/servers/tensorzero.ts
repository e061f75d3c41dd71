import type { Server } from "../server.ts";

/** TensorZero's gateway, on its OpenAI route. */
export const tensorzero = {
  at: [],
  sources: [
    {
      at: "TensorZero 2026.6.0 before llama-server: its provider's thinking stays in the text",
      on: "2026-11-30",
      basis: "run",
      tells: ["thinkTags"],
    },
    {
      at: "TensorZero 2026.6.0: 500 of every picture until object_storage is configured, also as disabled",
      on: "2026-11-30",
      basis: "run",
      tells: ["errors"],
    },
  ],
  facts: {
    thinkTags: true,
    // The operator's mistake: its provider is not asked.
    errors: [{ message: "^object storage is not configured\\b", means: "route_not_found" }],
  },
} as const satisfies Server;
