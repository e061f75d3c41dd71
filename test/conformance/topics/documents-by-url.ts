import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const url = "https://example.com/a.pdf";
const said = '"messages":[{"role":"user","content":"Sum it up"}]';
const items =
  '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Sum it up"},' +
  `{"type":"input_file","file_url":"${url}"}]}]`;
const document = (title: string): string =>
  '"messages":[{"role":"user","content":[{"type":"text","text":"Sum it up"},' +
  `{"type":"document","source":{"type":"url","url":"${url}"}${title}}]}]`;
/** Without the document the question would be another one. */
const refused = {
  name: "document",
  message: "this model accepts files only inline, not by URL; send the bytes in base64",
};

/** Chat takes files by their bytes only, so that its callers ask in plain words here. */
export const documentsByUrl: Topic = {
  name: "documents by URL",
  requests: {
    chat: { messages: [{ role: "user", content: "Sum it up" }] },
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Sum it up" },
            { type: "input_file", file_url: url },
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
            { type: "document", source: { type: "url", url }, title: "Report" },
          ],
        },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: said },
      "openai-responses": { members: '"input":[{"type":"message","role":"user","content":"Sum it up"}]' },
      "anthropic-messages": { members: `"max_tokens":4096,${said}` },
    },
    responses: {
      "openai-chat": refusal("responses", { ...refused, param: "input[0].content[1]" }),
      "openai-responses": { members: items },
      "anthropic-messages": { members: `"max_tokens":4096,${document("")}` },
    },
    messages: {
      "openai-chat": refusal("messages", { ...refused, param: "messages[0].content[1]" }),
      // OpenAI refuses a filename beside anything but file_data.
      "openai-responses": { members: `${items},"max_output_tokens":64`, losses: ["messages[0].content[1].title"] },
      "anthropic-messages": { members: `"max_tokens":64,${document(',"title":"Report"')}` },
    },
  }),
};
