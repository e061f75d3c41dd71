import type { Server } from "../server.ts";

/** A server that nothing is known of. */
export const unknown = {
  at: [],
  sources: [],
  facts: {},
} as const satisfies Server;
