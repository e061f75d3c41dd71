import type { Server } from "../server.ts";

/** Volcengine Ark and BytePlus ModelArk. */
export const volcengine = {
  at: ["volces.com", "bytepluses.com"],
  sources: [
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
  },
} as const satisfies Server;
