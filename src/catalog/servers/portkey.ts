import type { Server } from "../server.ts";

/** Portkey's gateway. */
export const portkey = {
  at: ["api.portkey.ai", ":8787"],
  sources: [
    {
      at: "@portkey-ai/gateway 1.15.2: hands on <think> of a server behind it as text",
      on: "2026-12-01",
      basis: "run",
      tells: ["thinkTags"],
    },
    {
      at: "Portkey 1.15.2: 500 {status, message} of every stream",
      on: "2026-11-29",
      basis: "run",
      tells: ["errorPlaces"],
    },
    {
      at: "Portkey 1.15.2: 500 {status, message} of every stream",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "Portkey-AI/gateway 1.15.2: it passes on what its provider takes",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["instructionRole"],
    },
  ],
  facts: {
    thinkTags: true,
    instructionRole: "as-called",
    errors: [{ message: "^No healthy (?:targets|deployments)", means: "overloaded" }],
    errorPlaces: [{ code: "status", message: "message", success: ["success", "ok"] }],
  },
} as const satisfies Server;
