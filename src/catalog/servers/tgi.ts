import type { Server } from "../server.ts";

/** text-generation-inference of Hugging Face. */
export const tgi = {
  at: [],
  sources: [
    {
      at: "huggingface/text-generation-inference, router/src/lib.rs: ChatRequest",
      on: "2026-11-29",
      tells: ["limitMember", "parallelToolCalls", "efforts", "thinkingSwitch", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    parallelToolCalls: false,
    efforts: [],
    thinkingSwitch: "none",
    toolKinds: "functions",
  },
} as const satisfies Server;
