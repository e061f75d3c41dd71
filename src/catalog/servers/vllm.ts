import type { Server } from "../server.ts";

/** vllm. */
export const vllm = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "vllm-project/vllm, v1/engine: FINISH_REASON_STRINGS has repetition",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py: all words; earlier versions take these alone",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["efforts"],
    },
    {
      at: "github.com/vllm-project/vllm/issues/57082: the engine gave the answer up",
      on: "2026-11-28",
      basis: "reported",
      tells: ["ends"],
    },
    {
      at: "vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py: max_tokens is deprecated, functions alone, n",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember", "n", "toolKinds"],
    },
    {
      at: "vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py: `reasoning`",
      on: "2026-11-27",
      basis: "read",
      tells: ["reasoningMember"],
    },
  ],
  facts: {
    ends: { abort: "failed", repetition: "length" },
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    n: 128,
    toolKinds: "functions",
    efforts: ["none", "low", "medium", "high"],
  },
} as const satisfies Server;
