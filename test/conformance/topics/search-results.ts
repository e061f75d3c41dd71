import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const said = '"messages":[{"role":"user","content":"Who won?"}]';
const input = '"input":[{"type":"message","role":"user","content":"Who won?"}]';
const result = {
  type: "search_result",
  source: "https://a.example/race",
  title: "The race",
  content: [
    { type: "text", text: "Ada won." },
    { type: "text", text: "Bo was second." },
  ],
  citations: { enabled: true },
};
const losses = ["title", "source", "citations"].map((member) => `messages[0].content[0].${member}`);

/** Results of the caller's own search, which only Messages has: elsewhere the model reads their texts. */
export const searchResults: Topic = {
  name: "results of the caller's search",
  requests: {
    chat: { messages: [{ role: "user", content: "Who won?" }] },
    responses: { input: "Who won?" },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: [result, { type: "text", text: "Who won?" }] }],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: said },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${said}` },
    },
    responses: {
      "openai-chat": { members: said },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${said}` },
    },
    messages: {
      "openai-chat": {
        members:
          '"messages":[{"role":"user","content":[{"type":"text","text":"Ada won."},{"type":"text","text":"Bo was second."},' +
          '{"type":"text","text":"Who won?"}]}],"max_tokens":64',
        losses,
      },
      "openai-responses": {
        members:
          '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Ada won."},{"type":"input_text","text":"Bo was second."},' +
          '{"type":"input_text","text":"Who won?"}]}],"max_output_tokens":64',
        losses,
      },
      "anthropic-messages": {
        members:
          '"max_tokens":64,"messages":[{"role":"user","content":[{"type":"search_result","title":"The race","content":[{"type":"text","text":"Ada won."},' +
          '{"type":"text","text":"Bo was second."}],"source":"https://a.example/race","citations":{"enabled":true}},{"type":"text","text":"Who won?"}]}]',
      },
    },
  }),
};
