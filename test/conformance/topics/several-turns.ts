import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const said = [
  { role: "user", content: "Hi" },
  { role: "user", content: "I am Ann" },
  { role: "assistant", content: "Hello Ann" },
  { role: "user", content: "Who am I?" },
];
const answered = '{"role":"assistant","content":"Hello Ann"},{"role":"user","content":"Who am I?"}]';
const apart = `"messages":[{"role":"user","content":"Hi"},{"role":"user","content":"I am Ann"},${answered}`;
/** Messages makes one turn of neighbours of one role. */
const merged = `"messages":[{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"text","text":"I am Ann"}]},${answered}`;
const items =
  '"input":[{"type":"message","role":"user","content":"Hi"},{"type":"message","role":"user","content":"I am Ann"},' +
  '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello Ann","annotations":[]}]},' +
  '{"type":"message","role":"user","content":"Who am I?"}]';

/** The user speaks twice before the model does. */
export const severalTurns: Topic = {
  name: "several turns",
  requests: {
    chat: { messages: said },
    responses: { input: said },
    messages: { max_tokens: 64, messages: said },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: apart },
      "openai-responses": { members: items },
      "anthropic-messages": { members: `"max_tokens":4096,${merged}` },
    },
    responses: {
      "openai-chat": { members: apart },
      "openai-responses": { members: items },
      "anthropic-messages": { members: `"max_tokens":4096,${merged}` },
    },
    messages: {
      "openai-chat": { members: `${apart},"max_tokens":64` },
      "openai-responses": { members: `${items},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${apart}` },
    },
  }),
};
