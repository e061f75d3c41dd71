import type { Server } from "../server.ts";

/** mlx_lm.server of mlx-lm. */
export const mlxLm = {
  at: [],
  sources: [
    {
      at: "mlx-lm 0.32.2, run: it ignores n, tool_choice and response_format",
      on: "2026-11-28",
      tells: [
        "limitMember",
        "toolChoices",
        "parallelToolCalls",
        "responseFormats",
        "efforts",
        "thinkingSwitch",
        "reasoningMember",
        "toolKinds",
      ],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "auto",
    parallelToolCalls: false,
    responseFormats: "none",
    efforts: [],
    thinkingSwitch: "chat_template_kwargs",
    reasoningMember: "reasoning",
    toolKinds: "functions",
  },
} as const satisfies Server;
