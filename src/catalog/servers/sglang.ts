import type { Server } from "../server.ts";

/** sglang. */
export const sglang = {
  at: [":30000"],
  below: "/v1",
  runsWeights: true,
  sources: [
    {
      at: "sglang 0.5.23, srt/entrypoints/openai/protocol.py: efforts and chat_template_kwargs of Chat, max_tokens is deprecated, `reasoning_content`",
      on: "2026-11-30",
      basis: "read",
      tells: ["thinkingSwitch", "efforts", "limitMember", "n", "toolKinds"],
    },
    {
      at: "sglang 0.5.23, srt/entrypoints/openai/serving_chat.py: thoughts stay in the text without a reasoning parser, which is the default; gpt-oss takes no none",
      on: "2026-11-30",
      basis: "read",
      tells: ["thinkTags"],
    },
    {
      at: "sglang 0.5.23, srt/managers/schedule_batch.py: FINISH_ABORT",
      on: "2026-11-30",
      basis: "read",
      tells: ["ends"],
    },
  ],
  facts: {
    ends: { abort: "failed" },
    limitMember: "max_completion_tokens",
    n: 128,
    toolKinds: "functions",
    thinkingSwitch: "chat_template_kwargs",
    efforts: ["low", "medium", "high"],
    thinkTags: true,
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
