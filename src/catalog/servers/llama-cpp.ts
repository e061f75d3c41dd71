import type { Server } from "../server.ts";

/** llama.cpp. */
export const llamaCpp = {
  at: [],
  sources: [
    {
      at: "ggml-org/llama.cpp, tools/server and common/chat.cpp: tool_choice is a word, max_tokens is taken by all",
      on: "2026-11-27",
      tells: ["limitMember", "toolChoices", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "words",
    toolKinds: "functions",
  },
} as const satisfies Server;
