import type { Server } from "../server.ts";

/** moonshot. */
export const moonshot = {
  at: ["moonshot.ai", "moonshot.cn", "kimi.com"],
  sources: [
    {
      at: "can1357/oh-my-pi#1077, AstrBotDevs/AstrBot#7805: no call is demanded while a model thinks",
      on: "2026-11-30",
      basis: "reported",
      tells: ["thinkingChoices"],
    },
    {
      at: "platform.moonshot.ai/docs/api/chat, errors; badlogic/pi-mono, overflow patterns",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "platform.kimi.ai/docs/guide/use-thinking-effort and use-kimi-k2-thinking-model: unknown words are ignored",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["thinkingSwitch", "efforts", "modelThinking"],
    },
    {
      at: "platform.kimi.ai/docs; BerriAI/litellm, llms/moonshot/chat/transformation.py",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "content", "reasoningHistory", "logprobs", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    content: "text",
    reasoningHistory: "required",
    logprobs: false,
    toolKinds: "functions",
    thinkingSwitch: "thinking",
    thinkingChoices: "undemanded",
    efforts: ["low", "high", "max"],
    modelThinking: [
      { models: "^kimi-k2\\.[56]", efforts: [] },
      { models: "^kimi-k2\\.7", efforts: [], thinkingSwitch: "none" },
      { models: "^kimi-k3", thinkingSwitch: "none" },
      { models: "thinking", efforts: [], thinkingSwitch: "none" },
      { models: "^(?:kimi-k2|moonshot)", thinks: false },
    ],
    errors: [
      { message: "^Input token length too long", means: "context_length" },
      { code: "engine_overloaded_error", means: "overloaded" },
      { code: "exceeded_current_quota_error", means: "quota_exceeded" },
      { message: "exceeded model token limit", means: "context_length" },
      { message: "^Not found the model ", means: "model_not_found" },
    ],
  },
  routes: {
    responses: { thinkingSwitch: "none" },
  },
} as const satisfies Server;
