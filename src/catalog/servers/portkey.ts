import type { Server } from "../server.ts";

/** Portkey. */
export const portkey = {
  at: ["portkey.ai"],
  sources: [
    {
      at: "Portkey 1.15.2, run: 500 {status, message} of every stream",
      on: "2026-11-29",
      tells: ["errors", "errorPlaces"],
    },
  ],
  facts: {
    errors: [{ message: "^No healthy (?:targets|deployments)", means: "overloaded" }],
    errorPlaces: [{ code: "status", message: "message", success: ["success", "ok"] }],
  },
} as const satisfies Server;
