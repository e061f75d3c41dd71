import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const pdf = "JVBERi0xLjQ=";
/** "Hello" in base64. */
const hello = "SGVsbG8=";

const chatParts =
  '"messages":[{"role":"user","content":[{"type":"text","text":"Compare"},' +
  `{"type":"file","file":{"file_data":"data:application/pdf;base64,${pdf}","filename":"a.pdf"}},` +
  `{"type":"file","file":{"file_data":"data:text/plain;base64,${hello}","filename":"b.txt"}}]}]`;
const items =
  '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Compare"},' +
  `{"type":"input_file","file_data":"data:application/pdf;base64,${pdf}","filename":"a.pdf"},` +
  `{"type":"input_file","file_data":"data:text/plain;base64,${hello}","filename":"b.txt"}]}]`;
const blocks =
  '"messages":[{"role":"user","content":[{"type":"text","text":"Compare"},' +
  `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"${pdf}"},"title":"a.pdf"},` +
  '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"Hello"},"title":"b.txt"}]}]';

/** A PDF and a plain text, each with its name. */
export const documents: Topic = {
  name: "documents",
  requests: {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Compare" },
            { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" } },
            { type: "file", file: { file_data: `data:text/plain;base64,${hello}`, filename: "b.txt" } },
          ],
        },
      ],
    },
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Compare" },
            { type: "input_file", file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" },
            { type: "input_file", file_data: `data:text/plain;base64,${hello}`, filename: "b.txt" },
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
            { type: "text", text: "Compare" },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: pdf },
              title: "a.pdf",
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "Hello" }, title: "b.txt" },
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
      "anthropic-messages": { members: `"max_tokens":4096,${blocks}` },
    },
    responses: {
      "openai-chat": { members: chatParts },
      "openai-responses": { members: items },
      "anthropic-messages": { members: `"max_tokens":4096,${blocks}` },
    },
    messages: {
      "openai-chat": { members: `${chatParts},"max_tokens":64` },
      "openai-responses": { members: `${items},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${blocks}` },
    },
  }),
};
