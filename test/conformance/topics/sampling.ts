import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';
const wishes = '"temperature":0.7,"top_p":0.9';
const echo = { temperature: "0.7", top_p: "0.9" };

/** Temperature and nucleus sampling; Messages has top_k besides, under its version of 2023-06-01. */
export const sampling: Topic = {
  name: "sampling parameters",
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }], temperature: 0.7, top_p: 0.9 },
    responses: { input: "Say hello", temperature: 0.7, top_p: 0.9 },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: "Say hello" }],
      temperature: 0.7,
      top_p: 0.9,
      top_k: 40,
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${messages},${wishes}` },
      "openai-responses": { members: `${input},${wishes}` },
      "anthropic-messages": { members: `"max_tokens":4096,${messages},${wishes}` },
    },
    responses: {
      "openai-chat": { members: `${messages},${wishes}`, echo },
      "openai-responses": { members: `${input},${wishes}`, echo },
      "anthropic-messages": { members: `"max_tokens":4096,${messages},${wishes}`, echo },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":64,${wishes}`, losses: ["top_k"] },
      "openai-responses": { members: `${input},"max_output_tokens":64,${wishes}`, losses: ["top_k"] },
      "anthropic-messages": { members: `"max_tokens":64,${messages},${wishes},"top_k":40` },
    },
  }),
};
