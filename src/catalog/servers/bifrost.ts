import type { Server } from "../server.ts";

/** Bifrost, a gateway. */
export const bifrost = {
  at: [],
  sources: [
    {
      at: "docs.getbifrost.ai/providers/supported-providers/cohere: max_completion_tokens becomes what the provider knows",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember"],
    },
    {
      at: "it passes on what its provider takes",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["instructionRole"],
    },
    {
      at: "maximhq/bifrost, core/bifrost.go: 400 of a model that none of its keys may use",
      on: "2026-11-30",
      basis: "read",
      tells: ["errors"],
    },
    {
      at: "maximhq/bifrost, core/schemas/chatcompletions.go and responses.go: BifrostCost, an object or a number",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    errors: [{ message: "^no keys found that support model\\b", means: "model_not_found" }],
    reportedCosts: [{ members: ["cost.total_cost"] }, { members: ["cost"] }],
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
  },
} as const satisfies Server;
