import { textRoutes } from "../text-routes.ts";
import { type Ends, textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

/** Only Messages tells a stop sequence from the end of what there was to say. */
const ends: Ends = { chat: "stop", messages: "stop_sequence", stopSequence: "###" };
const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';
const stops = ["END", "###"];

/** Two texts at which to stop; the answer comes to the second. Responses has no such thing. */
export const stopSequences: Topic = {
  name: "stop sequences",
  absentIn: ["responses"],
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }], stop: stops },
    responses: { input: "Say hello" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }], stop_sequences: stops },
  },
  upstreamAnswers: textAnswers(ends),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${messages},"stop":["END","###"]` },
      "openai-responses": { members: input, losses: ["stop"] },
      // Which of the two it was.
      "anthropic-messages": {
        members: `"max_tokens":4096,${messages},"stop_sequences":["END","###"]`,
        answerLosses: ["answer.stop_sequence"],
      },
    },
    responses: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":64,"stop":["END","###"]` },
      "openai-responses": { members: `${input},"max_output_tokens":64`, losses: ["stop_sequences"] },
      "anthropic-messages": { members: `"max_tokens":64,${messages},"stop_sequences":["END","###"]`, ends },
    },
  }),
};
