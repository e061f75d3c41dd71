import { cachedAnswers, cachedRoutes, WITH_USAGE } from "../cached-usage.ts";
import { type Asked, type Nine, received } from "../pieces.ts";
import type { Topic } from "../topic.ts";

/** Lifetimes of the five marks, in their order; undefined: not said. */
const LIFETIMES = ["30m", "12h", undefined, "12h", "30m"] as const;
const pointOf = (ttl: string | undefined) => ({ mode: "explicit", ...(ttl === undefined ? {} : { ttl }) });
const pointText = (ttl: string | undefined): string =>
  `{"mode":"explicit"${ttl === undefined ? "" : `,"ttl":"${ttl}"`}}`;

const parts = (type: string) =>
  LIFETIMES.map((ttl, index) => ({ type, text: `Part ${index}`, prompt_cache_breakpoint: pointOf(ttl) }));
const partTexts = (type: string): string =>
  LIFETIMES.map(
    (ttl, index) => `{"type":"${type}","text":"Part ${index}","prompt_cache_breakpoint":${pointText(ttl)}}`,
  ).join(",");

const chat = `"messages":[{"role":"user","content":[${partTexts("text")}]}]`;
const items = `"input":[{"type":"message","role":"user","content":[${partTexts("input_text")}]}]`;
/** The last four marks; an hour only where nothing shorter stands before it. */
const messages =
  '"messages":[{"role":"user","content":[{"type":"text","text":"Part 0"},' +
  '{"type":"text","text":"Part 1","cache_control":{"type":"ephemeral","ttl":"1h"}},' +
  '{"type":"text","text":"Part 2","cache_control":{"type":"ephemeral","ttl":"1h"}},' +
  '{"type":"text","text":"Part 3","cache_control":{"type":"ephemeral","ttl":"1h"}},' +
  '{"type":"text","text":"Part 4","cache_control":{"type":"ephemeral"}}]}]';
const lossesAt = (list: string): string[] => {
  const place = (index: number): string => `${list}[0].content[${index}].prompt_cache_breakpoint`;
  return [place(0), `${place(1)}.ttl`, `${place(3)}.ttl`, `${place(4)}.ttl`];
};
const plain = '"messages":[{"role":"user","content":"Really?"}]';
const plainItems = '"input":[{"type":"message","role":"user","content":"Really?"}]';

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", chat) },
    "openai-responses": { upstreamReceives: received("openai-responses", items, ',"store":false') },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${messages}`),
      losses: lossesAt("messages"),
    },
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", chat) },
    "openai-responses": { upstreamReceives: received("openai-responses", items) },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${messages}`),
      losses: lossesAt("input"),
    },
  },
  messages: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${plain},"max_tokens":64`) },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${plainItems},"max_output_tokens":64`, ',"store":false'),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":64,${plain}`) },
  },
};

/** More marks than the Messages format takes, in an order of lifetimes that it refuses. */
export const manyCacheMarks: Topic = {
  name: "five cache marks, lifetimes in any order",
  absentIn: ["messages"],
  requests: {
    chat: { messages: [{ role: "user", content: parts("text") }] },
    responses: { input: [{ role: "user", content: parts("input_text") }] },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Really?" }] },
  },
  streamedRequests: WITH_USAGE,
  upstreamAnswers: cachedAnswers,
  routes: cachedRoutes(asked),
};
