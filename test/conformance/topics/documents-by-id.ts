import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const chatParts =
  '"messages":[{"role":"user","content":[{"type":"text","text":"Sum it up"},{"type":"file","file":{"file_id":"file-1"}}]}]';
const items =
  '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Sum it up"},{"type":"input_file","file_id":"file-1"}]}]';
const foreign = (id: string) => ({
  name: "file of another service",
  message: `the file '${id}' is stored by another service than this model's; send its bytes`,
});

/** Chat and Responses share their files; no other service knows them. */
export const documentsById: Topic = {
  name: "documents by file id",
  requests: {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Sum it up" },
            { type: "file", file: { file_id: "file-1" } },
          ],
        },
      ],
    },
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Sum it up" },
            { type: "input_file", file_id: "file-1" },
          ],
        },
      ],
    },
    messages: {
      max_tokens: 64,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Sum it up" },
            { type: "document", source: { type: "file", file_id: "file_1" } },
          ],
        },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: chatParts },
      "openai-responses": { members: items },
      "anthropic-messages": refusal("chat", { ...foreign("file-1"), param: "messages[0].content[1]" }),
    },
    responses: {
      "openai-chat": { members: chatParts },
      "openai-responses": { members: items },
      "anthropic-messages": refusal("responses", { ...foreign("file-1"), param: "input[0].content[1]" }),
    },
    messages: {
      "openai-chat": refusal("messages", { ...foreign("file_1"), param: "messages[0].content[1]" }),
      "openai-responses": refusal("messages", { ...foreign("file_1"), param: "messages[0].content[1]" }),
      "anthropic-messages": {
        members:
          '"max_tokens":64,"messages":[{"role":"user","content":[{"type":"text","text":"Sum it up"},{"type":"document","source":{"type":"file","file_id":"file_1"}}]}]',
      },
    },
  }),
};
