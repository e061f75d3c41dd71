import type { Server } from "../server.ts";

/** vllm. */
export const vllm = {
  at: [],
  sources: [
    {
      at: "vLLM 0.32.0, entrypoints/openai/chat_completion/protocol.py: reasoning_effort",
      on: "2026-11-29",
      tells: ["efforts"],
    },
    {
      at: "github.com/vllm-project/vllm/issues/57082: the engine gave the answer up",
      on: "2026-11-28",
      tells: ["ends"],
    },
    {
      at: "vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py: max_tokens is deprecated, `reasoning`",
      on: "2026-11-27",
      tells: ["limitMember", "reasoningMember", "n", "toolKinds"],
    },
  ],
  facts: {
    ends: { abort: "failed" },
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    n: 128,
    toolKinds: "functions",
    efforts: ["none", "low", "medium", "high"],
  },
} as const satisfies Server;
