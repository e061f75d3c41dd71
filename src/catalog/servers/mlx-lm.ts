import type { Server } from "../server.ts";

/** mlx_lm.server of mlx-lm. */
export const mlxLm = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "mlx-lm 0.32.2: it takes and ignores n, tool_choice and response_format",
      on: "2026-11-28",
      basis: "run",
      tells: ["toolChoices", "responseFormats"],
    },
    {
      at: "ml-explore/mlx-lm, mlx_lm/server.py: chat_template_kwargs, max_tokens, `reasoning`; parallel_tool_calls and efforts are not looked at",
      on: "2026-11-29",
      basis: "read",
      tells: ["limitMember", "parallelToolCalls", "efforts", "thinkingSwitch", "reasoningMember", "toolKinds"],
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
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
