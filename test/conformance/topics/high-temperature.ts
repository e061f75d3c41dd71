import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';
const echo = { temperature: "1.5" };
/** Sampling at another temperature would not be what was asked. */
const refused = {
  name: "temperature",
  param: "temperature",
  message: "must be from 0 to 1 for this model, not 1.5",
};

/** Chat and Responses go up to 2, Messages to 1, which is what its callers send here. */
export const highTemperature: Topic = {
  name: "temperature above 1",
  absentIn: ["messages"],
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }], temperature: 1.5 },
    responses: { input: "Say hello", temperature: 1.5 },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }], temperature: 1 },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${messages},"temperature":1.5` },
      "openai-responses": { members: `${input},"temperature":1.5` },
      "anthropic-messages": refusal("chat", refused),
    },
    responses: {
      "openai-chat": { members: `${messages},"temperature":1.5`, echo },
      "openai-responses": { members: `${input},"temperature":1.5`, echo },
      "anthropic-messages": refusal("responses", refused),
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":64,"temperature":1` },
      "openai-responses": { members: `${input},"max_output_tokens":64,"temperature":1` },
      "anthropic-messages": { members: `"max_tokens":64,${messages},"temperature":1` },
    },
  }),
};
