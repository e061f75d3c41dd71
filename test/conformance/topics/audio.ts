import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Write it down"}]';
const input = '"input":[{"type":"message","role":"user","content":"Write it down"}]';
const sound = '{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}';
const chatParts = `"messages":[{"role":"user","content":[{"type":"text","text":"Write it down"},${sound}]}]`;
const noAudio = "this model doesn't accept audio; send a transcript as text";

/**
 * Sound is Chat's. Responses has a type for it, and no place among the parts: its own callers' sound goes on as it is.
 */
export const audio: Topic = {
  name: "audio",
  absentIn: ["messages"],
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
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Write it down" },
            { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
          ],
        },
      ],
    },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Write it down" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: chatParts },
      "openai-responses": refusal("chat", {
        name: "audio",
        param: "messages[0].content[1]",
        message: "sound cannot be sent to this model: leave it out, or choose another model",
      }),
      "anthropic-messages": refusal("chat", { name: "audio", param: "messages[0].content[1]", message: noAudio }),
    },
    responses: {
      "openai-chat": { members: chatParts },
      "openai-responses": {
        members: `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Write it down"},${sound}]}]`,
      },
      "anthropic-messages": refusal("responses", { name: "audio", param: "input[0].content[1]", message: noAudio }),
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":64` },
      "openai-responses": { members: `${input},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${messages}` },
    },
  }),
};
