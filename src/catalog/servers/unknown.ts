import type { Server } from "../server.ts";

/** A server that nothing is known of. */
export const unknown = {
  at: [],
  sources: [
    {
      at: "words that several servers share: transformers 5.19, TensorZero 2026.6, Fastify and others, run",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    errors: [
      {
        message:
          "^(?:the )?(?:requested )?model\\b.{0,200}?\\b(?:not found|does not exist|not exist|has been (?:deprecated|removed|decommissioned))",
        means: "model_not_found",
      },
      { message: "^(?:unknown|invalid|no such) model(?: name)?\\b", means: "model_not_found" },
      { message: "^the requested model is not supported", means: "model_not_found" },
      { message: "^insufficient (?:account )?(?:balance|credits?|funds|quota)", means: "quota_exceeded" },
      { message: "^(?:invalid|incorrect|expired) (?:api[ -]?key|access token)\\b", means: "unauthenticated" },
      { message: "^prompt exceeds max length", means: "context_length" },
      { message: "^route not found", means: "route_not_found" },
    ],
  },
} as const satisfies Server;
