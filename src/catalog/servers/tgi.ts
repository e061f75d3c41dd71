import type { Server } from "../server.ts";

/** text-generation-inference of Hugging Face. */
export const tgi = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "huggingface/text-generation-inference, router/src/validation.rs and infer/mod.rs: its messages, error_type and FinishReason",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors", "ends"],
    },
    {
      at: "it takes max_tokens, and functions",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "toolKinds"],
    },
  ],
  facts: {
    ends: { eos_token: "stop" },
    limitMember: "max_tokens",
    toolKinds: "functions",
    errors: [
      {
        message: "`?inputs`? (?:must have less than \\d+ tokens|tokens \\+ `?max_new_tokens`? must be <=)",
        means: "context_length",
      },
      { code: "overloaded", means: "overloaded" },
    ],
  },
} as const satisfies Server;
