import { textRoutes } from "../text-routes.ts";
import { type Ends, textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const ends: Ends = { chat: "length", incomplete: "max_output_tokens", messages: "max_tokens" };
const messages = '"messages":[{"role":"user","content":"Count to a million"}]';
const input = '"input":[{"type":"message","role":"user","content":"Count to a million"}]';
const echo = { max_output_tokens: "16" };

/** The answer reaches the limit that the caller set. */
export const lengthStop: Topic = {
  name: "length stop",
  requests: {
    chat: { messages: [{ role: "user", content: "Count to a million" }], max_completion_tokens: 16 },
    responses: { input: "Count to a million", max_output_tokens: 16 },
    messages: { max_tokens: 16, messages: [{ role: "user", content: "Count to a million" }] },
  },
  upstreamAnswers: textAnswers(ends),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${messages},"max_completion_tokens":16`, ends },
      "openai-responses": { members: `${input},"max_output_tokens":16`, ends },
      "anthropic-messages": { members: `"max_tokens":16,${messages}`, ends },
    },
    responses: {
      "openai-chat": { members: `${messages},"max_tokens":16`, ends, echo },
      "openai-responses": { members: `${input},"max_output_tokens":16`, ends, echo },
      "anthropic-messages": { members: `"max_tokens":16,${messages}`, ends, echo },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":16`, ends },
      "openai-responses": { members: `${input},"max_output_tokens":16`, ends },
      "anthropic-messages": { members: `"max_tokens":16,${messages}`, ends },
    },
  }),
};
