import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const CHAT =
  '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Because."},{"role":"user","content":"And?"}]';
const ITEMS =
  '"input":[{"type":"message","role":"user","content":"Why?"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Because.","annotations":[]}]},{"type":"message","role":"user","content":"And?"}]';

const OWN_CHAT =
  '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Because.","reasoning_content":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"c2ln"},{"type":"reasoning.encrypted","data":"cmVk"}]},{"role":"user","content":"And?"}]';
const OWN_ITEMS =
  '"input":[{"type":"message","role":"user","content":"Why?"},{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"ZW5j"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Because.","annotations":[]}]},{"type":"message","role":"user","content":"And?"}]';
const OWN_MESSAGES =
  '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"redacted_thinking","data":"cmVk"},{"type":"text","text":"Because."}]},{"role":"user","content":"And?"}]';

const inChat = { losses: ["messages[1].reasoning_details"] };
const inResponses = { losses: ["input[1]"] };
const inMessages = { losses: ["messages[1].content[0]", "messages[1].content[1]"] };

const cells: TextCells = {
  chat: {
    "openai-chat": { members: OWN_CHAT, losses: [] },
    "openai-responses": { members: ITEMS, ...inChat },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}`, ...inChat },
  },
  responses: {
    "openai-chat": { members: CHAT, ...inResponses },
    "openai-responses": { members: OWN_ITEMS, losses: [] },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}`, ...inResponses },
  },
  messages: {
    "openai-chat": { members: `${CHAT},"max_tokens":64`, ...inMessages },
    "openai-responses": { members: `${ITEMS},"max_output_tokens":64`, ...inMessages },
    "anthropic-messages": { members: `"max_tokens":64,${OWN_MESSAGES}`, losses: [] },
  },
};

/** What a provider signed or encrypted before the conversation came to Attune passes on within its own format only. */
export const thinkingOfUnknownOrigin: Topic = {
  name: "thinking of unknown origin",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Why?" },
        {
          role: "assistant",
          content: "Because.",
          reasoning_content: "Hm.",
          reasoning_details: [
            { type: "reasoning.text", text: "Hm.", signature: "c2ln" },
            { type: "reasoning.encrypted", data: "cmVk" },
          ],
        },
        { role: "user", content: "And?" },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "Why?" },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "Hm." }],
          encrypted_content: "ZW5j",
        },
        { role: "assistant", content: [{ type: "output_text", text: "Because.", annotations: [] }] },
        { role: "user", content: "And?" },
      ],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Why?" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "redacted_thinking", data: "cmVk" },
            { type: "text", text: "Because." },
          ],
        },
        { role: "user", content: "And?" },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes(cells),
};
