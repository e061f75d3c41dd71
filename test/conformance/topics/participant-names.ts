import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = (name: string): string => `"messages":[{"role":"user","content":"Who am I?"${name}}]`;
const input = '"input":[{"type":"message","role":"user","content":"Who am I?"}]';
const losses = ["messages[0].name"];

/** Only Chat's messages name their speakers. */
export const participantNames: Topic = {
  name: "names of participants",
  absentIn: ["responses", "messages"],
  requests: {
    chat: { messages: [{ role: "user", content: "Who am I?", name: "Ann" }] },
    responses: { input: "Who am I?" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Who am I?" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: messages(',"name":"Ann"') },
      "openai-responses": { members: input, losses },
      "anthropic-messages": { members: `"max_tokens":4096,${messages("")}`, losses },
    },
    responses: {
      "openai-chat": { members: messages("") },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages("")}` },
    },
    messages: {
      "openai-chat": { members: `${messages("")},"max_tokens":64` },
      "openai-responses": { members: `${input},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${messages("")}` },
    },
  }),
};
