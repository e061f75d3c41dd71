import type { Server } from "../server.ts";

/** litellm. */
export const litellm = {
  at: [],
  sources: [
    {
      at: "litellm[proxy] 1.108.7: hands on <think> of a server behind it as text in streams, and whole on two routes",
      on: "2026-12-01",
      basis: "run",
      tells: ["thinkTags"],
    },
    {
      at: "LiteLLM proxy 1.108.7 before llama-server: cut answers of Responses and Messages say completed and end_turn",
      on: "2026-11-29",
      basis: "run",
      tells: ["tellsCuts"],
    },
    {
      at: "docs.litellm.ai/docs/completion/input: it maps what its provider does not take",
      on: "2026-11-27",
      basis: "read",
      tells: ["instructionRole", "limitMember", "n"],
    },
    {
      at: "docs.litellm.ai/docs/reasoning_content: thinking_blocks come back as they were",
      on: "2026-12-01",
      basis: "read",
      tells: ["reasoningMember"],
    },
    {
      at: "LiteLLM proxy 1.108.7: 400 of an unknown model",
      on: "2026-11-29",
      basis: "run",
      tells: ["errors"],
    },
    {
      at: "names of its exceptions of a long prompt and of a budget",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "docs.litellm.ai/docs/proxy/response_headers; BerriAI/litellm#36492: in streams the usage has it",
      on: "2026-11-30",
      basis: "read",
      tells: ["reportedCosts"],
    },
  ],
  facts: {
    thinkTags: true,
    reasoningMember: "thinking_blocks",
    reportedCosts: [
      { members: ["cost"], zeroIsUnknown: true },
      { header: "x-litellm-response-cost", zeroIsUnknown: true },
    ],
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    n: 128,
    errors: [
      { message: "Invalid model name passed in model=", means: "model_not_found" },
      { message: "\\blitellm\\.ContextWindowExceededError", means: "context_length" },
      { message: "^(?:Budget has been exceeded|Exceeded(?:Token)?Budget)", means: "quota_exceeded" },
    ],
  },
  routes: { responses: { tellsCuts: false }, messages: { tellsCuts: false } },
} as const satisfies Server;
