import type { Server } from "../server.ts";

/** mlx_lm.server of mlx-lm. */
export const mlxLm = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "mlx-lm 0.32.2: 404 of a picture, and of a name that it has not loaded while it is offline",
      on: "2026-11-30",
      basis: "run",
      tells: ["errors"],
    },
    {
      at: "huggingface_hub, utils/_http.py: the words for a name that its library does not have",
      on: "2026-11-30",
      basis: "read",
      tells: ["errors"],
    },
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
    errors: [
      { message: "^only 'text' content type is supported", means: "invalid_request" },
      { message: "^cannot find an appropriate cached snapshot folder", means: "model_not_found" },
      { message: "^\\d{3} client error\\.[^]{0,200}\\brepository not found", means: "model_not_found" },
    ],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
