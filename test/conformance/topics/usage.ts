import { cachedAnswers, cachedRoutes, WITH_USAGE } from "../cached-usage.ts";
import { type Asked, type Nine, received } from "../pieces.ts";
import type { Topic } from "../topic.ts";

const CHAT = '"messages":[{"role":"user","content":"Really?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Really?"}]';
const toAnthropic = { upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${CHAT}`) };

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", ITEMS, ',"store":false') },
    "anthropic-messages": toAnthropic,
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", ITEMS) },
    "anthropic-messages": toAnthropic,
  },
  messages: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64`) },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${ITEMS},"max_output_tokens":64`, ',"store":false'),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":64,${CHAT}`) },
  },
};

/** Tokens add up alike in every format, whole and streamed; a Chat stream tells them where that was asked for. */
export const usage: Topic = {
  name: "usage",
  requests: {
    chat: { messages: [{ role: "user", content: "Really?" }] },
    responses: { input: "Really?" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Really?" }] },
  },
  streamedRequests: WITH_USAGE,
  upstreamAnswers: cachedAnswers,
  routes: cachedRoutes(asked),
};
