import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const said = '"messages":[{"role":"user","content":"Sum it up"}]';
const input = '"input":[{"type":"message","role":"user","content":"Sum it up"}]';
/** "Hello" in base64. */
const data = "data:text/plain;base64,SGVsbG8=";
const losses = ["messages[0].content[0].context", "messages[0].content[0].citations"];

/** What only Messages can say of a document. */
export const citedDocuments: Topic = {
  name: "documents with context and citations",
  requests: {
    chat: { messages: [{ role: "user", content: "Sum it up" }] },
    responses: { input: "Sum it up" },
    messages: {
      max_tokens: 64,
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "text", media_type: "text/plain", data: "Hello" },
              title: "b.txt",
              context: "A draft",
              citations: { enabled: true },
            },
            { type: "text", text: "Sum it up" },
          ],
        },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: said },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${said}` },
    },
    responses: {
      "openai-chat": { members: said },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${said}` },
    },
    messages: {
      "openai-chat": {
        members:
          `"messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"${data}","filename":"b.txt"}},` +
          '{"type":"text","text":"Sum it up"}]}],"max_tokens":64',
        losses,
      },
      "openai-responses": {
        members:
          `"input":[{"type":"message","role":"user","content":[{"type":"input_file","file_data":"${data}","filename":"b.txt"},` +
          '{"type":"input_text","text":"Sum it up"}]}],"max_output_tokens":64',
        losses,
      },
      "anthropic-messages": {
        members:
          '"max_tokens":64,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"Hello"},' +
          '"title":"b.txt","context":"A draft","citations":{"enabled":true}},{"type":"text","text":"Sum it up"}]}]',
      },
    },
  }),
};
