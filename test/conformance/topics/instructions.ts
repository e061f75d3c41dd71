import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const user = (text: string) => ({ role: "user", content: text });
const conversation = '{"role":"assistant","content":"Ho"},{"role":"user","content":"Go on"}]';
const chatTurns = (role: string): string =>
  `{"role":"user","content":"Hi"},{"role":"${role}","content":"Answer in verse."},${conversation}`;
/** The model's own turns are output, which has a list of annotations. */
const items = (role: string): string =>
  `{"type":"message","role":"user","content":"Hi"},{"type":"message","role":"${role}","content":"Answer in verse."},` +
  '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Ho","annotations":[]}]},' +
  '{"type":"message","role":"user","content":"Go on"}]';
const blocks = '[{"type":"text","text":"Be brief."},{"type":"text","text":"Be kind."}]';

/** Messages has one role for both. There a message of that role may stand behind a user turn and before the model's. */
export const instructions: Topic = {
  name: "system and developer messages in place",
  requests: {
    chat: {
      messages: [
        { role: "system", content: "Be brief." },
        user("Hi"),
        { role: "developer", content: "Answer in verse." },
        { role: "assistant", content: "Ho" },
        user("Go on"),
      ],
    },
    responses: {
      instructions: "Be brief.",
      input: [
        user("Hi"),
        { role: "developer", content: "Answer in verse." },
        { role: "assistant", content: "Ho" },
        user("Go on"),
      ],
    },
    messages: {
      max_tokens: 64,
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." },
      ],
      messages: [
        user("Hi"),
        { role: "system", content: "Answer in verse." },
        { role: "assistant", content: "Ho" },
        user("Go on"),
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `"messages":[{"role":"system","content":"Be brief."},${chatTurns("developer")}` },
      "openai-responses": {
        members: `"input":[{"type":"message","role":"system","content":"Be brief."},${items("developer")}`,
      },
      "anthropic-messages": { members: `"max_tokens":4096,"system":"Be brief.","messages":[${chatTurns("system")}` },
    },
    responses: {
      "openai-chat": {
        members: `"messages":[{"role":"system","content":"Be brief."},${chatTurns("developer")}`,
        echo: { instructions: '"Be brief."' },
      },
      "openai-responses": {
        members: `"instructions":"Be brief.","input":[${items("developer")}`,
        echo: { instructions: '"Be brief."' },
      },
      "anthropic-messages": {
        members: `"max_tokens":4096,"system":"Be brief.","messages":[${chatTurns("system")}`,
        echo: { instructions: '"Be brief."' },
      },
    },
    messages: {
      "openai-chat": {
        members: `"messages":[{"role":"system","content":${blocks}},${chatTurns("system")},"max_tokens":64`,
      },
      // Instructions are one text, with a blank line between what were blocks.
      "openai-responses": {
        members: `"instructions":"Be brief.\\n\\nBe kind.","input":[${items("system")},"max_output_tokens":64`,
      },
      "anthropic-messages": { members: `"max_tokens":64,"system":${blocks},"messages":[${chatTurns("system")}` },
    },
  }),
};
