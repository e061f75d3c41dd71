import type { Server } from "../server.ts";

/** Anthropic's API, which the Messages format comes from. */
export const anthropic = {
  at: ["api.anthropic.com"],
  sources: [],
  facts: {},
} as const satisfies Server;
