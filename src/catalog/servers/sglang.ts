import type { Server } from "../server.ts";

/** sglang. */
export const sglang = {
  at: [":30000"],
  runsWeights: true,
  sources: [
    {
      at: "docs.sglang.ai, separate reasoning: chat_template_kwargs and reasoning_effort",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["thinkingSwitch", "efforts"],
    },
    {
      at: "sgl-project/sglang, srt/managers/schedule_batch.py: FINISH_ABORT",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "sgl-project/sglang, srt/entrypoints/openai/protocol.py: max_tokens is deprecated, `reasoning_content`",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "n", "toolKinds"],
    },
  ],
  facts: {
    ends: { abort: "failed" },
    limitMember: "max_completion_tokens",
    n: 128,
    toolKinds: "functions",
    thinkingSwitch: "chat_template_kwargs",
    efforts: ["low", "medium", "high"],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
