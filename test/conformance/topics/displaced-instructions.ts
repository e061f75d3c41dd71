import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const user = (text: string) => ({ role: "user", content: text });
const said = [user("Hi"), { role: "developer", content: "Answer in verse." }, user("Who are you?")];
const turns = (role: string): string =>
  `"messages":[{"role":"user","content":"Hi"},{"role":"${role}","content":"Answer in verse."},{"role":"user","content":"Who are you?"}]`;
const items =
  '"input":[{"type":"message","role":"user","content":"Hi"},{"type":"message","role":"developer","content":"Answer in verse."},' +
  '{"type":"message","role":"user","content":"Who are you?"}]';
/** Messages takes instructions at the end or before the model's turn only, so that they lose their role here. */
const asUser =
  '"max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"text","text":"Answer in verse."},' +
  '{"type":"text","text":"Who are you?"}]}]';

/** Instructions where Messages has none. Its own callers place them at the end. */
export const displacedInstructions: Topic = {
  name: "developer message between user turns",
  requests: {
    chat: { messages: said },
    responses: { input: said },
    messages: { max_tokens: 64, messages: [user("Hi"), { role: "system", content: "Answer in verse." }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: turns("developer") },
      "openai-responses": { members: items },
      "anthropic-messages": { members: asUser, losses: ["messages[1].role"] },
    },
    responses: {
      "openai-chat": { members: turns("developer") },
      "openai-responses": { members: items },
      "anthropic-messages": { members: asUser, losses: ["input[1].role"] },
    },
    messages: {
      "openai-chat": {
        members:
          '"messages":[{"role":"user","content":"Hi"},{"role":"system","content":"Answer in verse."}],"max_tokens":64',
      },
      "openai-responses": {
        members:
          '"input":[{"type":"message","role":"user","content":"Hi"},{"type":"message","role":"system","content":"Answer in verse."}],"max_output_tokens":64',
      },
      "anthropic-messages": {
        members:
          '"max_tokens":64,"messages":[{"role":"user","content":"Hi"},{"role":"system","content":"Answer in verse."}]',
      },
    },
  }),
};
