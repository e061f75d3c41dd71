import { cachedAnswers, cachedRoutes, WITH_USAGE } from "../cached-usage.ts";
import { type Asked, type Nine, received } from "../pieces.ts";
import type { Topic } from "../topic.ts";

const CHAT = '"messages":[{"role":"user","content":"A long text"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"A long text"}]';
const HALF_HOUR = '"prompt_cache_options":{"mode":"implicit","ttl":"30m"}';
const RETENTION = '"prompt_cache_retention":"24h"';

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT, `,${HALF_HOUR},${RETENTION}`) },
    "openai-responses": {
      upstreamReceives: received("openai-responses", ITEMS, `,"store":false,${HALF_HOUR},${RETENTION}`),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,${CHAT},"cache_control":{"type":"ephemeral"}`,
      ),
      losses: ["prompt_cache_options.ttl", "prompt_cache_retention"],
    },
  },
  responses: {
    // The options of Chat name 30 minutes only.
    "openai-chat": {
      upstreamReceives: received("openai-chat", CHAT, `,${HALF_HOUR},${RETENTION}`),
      losses: ["prompt_cache_options.ttl"],
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        ITEMS,
        `,"prompt_cache_options":{"mode":"implicit","ttl":"12h"},${RETENTION}`,
      ),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,${CHAT},"cache_control":{"type":"ephemeral","ttl":"1h"}`,
      ),
      losses: ["prompt_cache_options.ttl", "prompt_cache_retention"],
    },
  },
  messages: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64,${HALF_HOUR}`),
      losses: ["cache_control.ttl"],
    },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${ITEMS},"max_output_tokens":64,${HALF_HOUR}`, ',"store":false'),
      losses: ["cache_control.ttl"],
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":64,${CHAT},"cache_control":{"type":"ephemeral","ttl":"1h"}`,
      ),
    },
  },
};

/** The request asks as a whole to be kept: the upstream sets the mark, at the end of the prompt. */
export const automaticCaching: Topic = {
  name: "automatic caching",
  requests: {
    chat: {
      messages: [{ role: "user", content: "A long text" }],
      prompt_cache_options: { mode: "implicit", ttl: "30m" },
      prompt_cache_retention: "24h",
    },
    responses: {
      input: "A long text",
      prompt_cache_options: { mode: "implicit", ttl: "12h" },
      prompt_cache_retention: "24h",
    },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: "A long text" }],
      cache_control: { type: "ephemeral", ttl: "1h" },
    },
  },
  streamedRequests: WITH_USAGE,
  upstreamAnswers: cachedAnswers,
  routes: cachedRoutes(asked),
};
