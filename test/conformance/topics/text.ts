import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';

/** One question, one answer in two pieces. */
export const text: Topic = {
  name: "text",
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }] },
    responses: { input: "Say hello" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    responses: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_completion_tokens":64` },
      "openai-responses": { members: `${input},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${messages}` },
    },
  }),
};
