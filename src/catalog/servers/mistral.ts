import type { Server } from "../server.ts";

/** mistral. */
export const mistral = {
  at: ["mistral.ai"],
  below: "/v1",
  sources: [
    {
      at: "docs.mistral.ai/capabilities/reasoning: none and high; Magistral always thinks",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["efforts", "modelThinking"],
    },
    { at: "docs.mistral.ai/api", on: "2026-11-27", basis: "read", tells: ["ends"] },
    {
      at: "docs.mistral.ai/api; 422 extra_forbidden in editor-code-assistant/eca#231",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "lateInstructions", "reasoningMember", "streamOptions", "logprobs", "toolKinds"],
    },
    {
      at: "its error 3280 ('must be a-z, A-Z, 0-9, with a length of 9') in opencode#1680, nearai/ironclaw#1241",
      on: "2026-12-01",
      basis: "read",
      tells: ["callIds"],
    },
    {
      at: "docs.mistral.ai/api, error 1500; the words stand in deepwn/addi#13",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    efforts: ["none", "high"],
    modelThinking: [{ models: "magistral", efforts: [], thinkingSwitch: "none" }],
    ends: { model_length: "context_window" },
    callIds: "alphanumeric9",
    limitMember: "max_tokens",
    lateInstructions: "user",
    reasoningMember: "content",
    streamOptions: false,
    logprobs: false,
    toolKinds: "functions",
    errors: [{ code: "invalid_model", means: "model_not_found" }],
  },
} as const satisfies Server;
