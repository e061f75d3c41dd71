import type { Server } from "../server.ts";

/** Volcengine Ark and BytePlus ModelArk. */
export const volcengine = {
  at: ["volces.com", "bytepluses.com"],
  sources: [
    {
      at: "www.volcengine.com/docs/82379/1299023: error codes",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "www.volcengine.com/docs/82379/1494384: thinking.type, reasoning_effort",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "efforts", "thinkingSwitch", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    efforts: ["minimal", "low", "medium", "high"],
    thinkingSwitch: "thinking",
    toolKinds: "functions",
    errors: [
      { code: "OutofContextError", means: "context_length" },
      { message: "Total tokens of image and text exceed max message tokens", means: "context_length" },
      { code: "AccountOverdueError", means: "quota_exceeded" },
      { code: "SetLimitExceeded", means: "quota_exceeded" },
      { code: "ServerOverloaded", means: "overloaded" },
      { code: "ModelNotOpen", means: "model_not_found" },
      { code: "SensitiveContentDetected", means: "content_filtered" },
      { code: "InputTextSensitiveContentDetected", means: "content_filtered" },
      { code: "InputImageSensitiveContentDetected", means: "content_filtered" },
      { code: "OutputTextSensitiveContentDetected", means: "content_filtered" },
    ],
  },
} as const satisfies Server;
