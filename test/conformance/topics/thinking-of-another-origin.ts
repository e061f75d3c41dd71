import { seal } from "../../../src/inference/history/seal.ts";
import { testSigner } from "../../support/test-signer.ts";
import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

/** Seals what none of the routes' upstreams can read. */
const sealedElsewhere = (blob: string): string => seal(testSigner, { upstream: "elsewhere", model: "another" }, blob);

const CHAT =
  '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Because."},{"role":"user","content":"And?"}]';
const ITEMS =
  '"input":[{"type":"message","role":"user","content":"Why?"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Because.","annotations":[]}]},{"type":"message","role":"user","content":"And?"}]';

const inChat = { losses: ["messages[1].reasoning_details"] };
const inResponses = { losses: ["input[1]"] };
const inMessages = { losses: ["messages[1].content[0]", "messages[1].content[1]"] };

const cells: TextCells = {
  chat: {
    "openai-chat": { members: CHAT, ...inChat },
    "openai-responses": { members: ITEMS, ...inChat },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}`, ...inChat },
  },
  responses: {
    "openai-chat": { members: CHAT, ...inResponses },
    "openai-responses": { members: ITEMS, ...inResponses },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}`, ...inResponses },
  },
  messages: {
    "openai-chat": { members: `${CHAT},"max_tokens":64`, ...inMessages },
    "openai-responses": { members: `${ITEMS},"max_output_tokens":64`, ...inMessages },
    "anthropic-messages": { members: `"max_tokens":64,${CHAT}`, ...inMessages },
  },
};

/** What another upstream signed or redacted would be refused: it is left out with its text, and named at its place. */
export const thinkingOfAnotherOrigin: Topic = {
  name: "thinking of another origin",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Why?" },
        {
          role: "assistant",
          content: "Because.",
          reasoning_content: "Hm.",
          reasoning_details: [
            { type: "reasoning.text", text: "Hm.", signature: sealedElsewhere("c2ln") },
            { type: "reasoning.encrypted", data: sealedElsewhere("cmVk") },
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
          encrypted_content: sealedElsewhere("ZW5j"),
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
            { type: "thinking", thinking: "Hm.", signature: sealedElsewhere("c2ln") },
            { type: "redacted_thinking", data: sealedElsewhere("cmVk") },
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
