import type { Server } from "../server.ts";

/** LitServe's OpenAI format, behind which each operator writes a model. */
export const litserve = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "litserve 0.2.19: every answer ends with stop, cut ones too; 422 of required, of a choice by name, of efforts other than these, and of functions without these members; thoughts stay in the text",
      on: "2026-11-30",
      basis: "run",
      tells: ["tellsCuts", "toolChoices", "efforts", "thinkTags", "functionMembers"],
    },
    {
      at: "litserve 0.2.19, specs/openai.py: ChatCompletionRequest has no other members, and none of them reaches a model that does not read it",
      on: "2026-11-30",
      basis: "read",
      tells: ["limitMember", "n", "parallelToolCalls", "logprobs", "toolKinds", "thinkingSwitch"],
    },
  ],
  facts: {
    limitMember: "max_completion_tokens",
    toolChoices: "auto",
    parallelToolCalls: false,
    n: 128,
    logprobs: false,
    toolKinds: "functions",
    functionMembers: ["description", "parameters"],
    efforts: ["low", "medium", "high"],
    thinkingSwitch: "none",
    thinkTags: true,
  },
  routes: { chat: { tellsCuts: false } },
} as const satisfies Server;
