import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';

/** The older name of Chat's limit: servers exist that know no other. The other formats have one name. */
export const deprecatedMaxTokens: Topic = {
  name: "`max_tokens` of Chat",
  absentIn: ["responses", "messages"],
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }], max_tokens: 16 },
    responses: { input: "Say hello" },
    messages: { max_tokens: 16, messages: [{ role: "user", content: "Say hello" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: messages, tail: '"max_tokens":16' },
      "openai-responses": { members: `${input},"max_output_tokens":16` },
      "anthropic-messages": { members: `"max_tokens":16,${messages}` },
    },
    responses: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      // The format requires a limit: the model's own.
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":16` },
      "openai-responses": { members: `${input},"max_output_tokens":16` },
      "anthropic-messages": { members: `"max_tokens":16,${messages}` },
    },
  }),
};
