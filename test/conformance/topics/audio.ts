import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Write it down"}]';
const input = '"input":[{"type":"message","role":"user","content":"Write it down"}]';
const place = { name: "audio", param: "messages[0].content[1]" };

/** Sound is Chat's alone; callers of the other formats ask in plain words. */
export const audio: Topic = {
  name: "audio",
  requests: {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Write it down" },
            { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
          ],
        },
      ],
    },
    responses: { input: "Write it down" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Write it down" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": {
        members:
          '"messages":[{"role":"user","content":[{"type":"text","text":"Write it down"},{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]}]',
      },
      "openai-responses": refusal("chat", {
        ...place,
        message: "sound cannot be sent to this model: leave it out, or choose another model",
      }),
      "anthropic-messages": refusal("chat", {
        ...place,
        message: "this model takes no audio; send a transcript as text",
      }),
    },
    responses: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_completion_tokens":64` },
      "openai-responses": { members: `${input},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${messages}` },
    },
  }),
};
