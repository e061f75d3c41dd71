import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const url = "https://example.com/cat.png";
const png = "iVBORw0KGgo=";
const data = `data:image/png;base64,${png}`;

const chatParts = (detail: string): string =>
  `"messages":[{"role":"user","content":[{"type":"text","text":"Which is a cat?"},` +
  `{"type":"image_url","image_url":{"url":"${url}"${detail}}},{"type":"image_url","image_url":{"url":"${data}"}}]}]`;
/** The format requires a detail, and says that `auto` is what it does unasked. */
const items = (detail: string): string =>
  `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Which is a cat?"},` +
  `{"type":"input_image","detail":"${detail}","image_url":"${url}"},{"type":"input_image","detail":"auto","image_url":"${data}"}]}]`;
const blocks =
  `"messages":[{"role":"user","content":[{"type":"text","text":"Which is a cat?"},` +
  `{"type":"image","source":{"type":"url","url":"${url}"}},` +
  `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${png}"}}]}]`;

/** One image by its address, to be looked at closely, and one by its bytes. */
export const images: Topic = {
  name: "images",
  requests: {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Which is a cat?" },
            { type: "image_url", image_url: { url, detail: "high" } },
            { type: "image_url", image_url: { url: data } },
          ],
        },
      ],
    },
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Which is a cat?" },
            { type: "input_image", detail: "high", image_url: url },
            { type: "input_image", detail: "auto", image_url: data },
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
            { type: "text", text: "Which is a cat?" },
            { type: "image", source: { type: "url", url } },
            { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          ],
        },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: chatParts(',"detail":"high"') },
      "openai-responses": { members: items("high") },
      "anthropic-messages": {
        members: `"max_tokens":4096,${blocks}`,
        losses: ["messages[0].content[1].image_url.detail"],
      },
    },
    responses: {
      "openai-chat": {
        members: chatParts(',"detail":"high"').replace(`"url":"${data}"`, `"url":"${data}","detail":"auto"`),
      },
      "openai-responses": { members: items("high") },
      "anthropic-messages": { members: `"max_tokens":4096,${blocks}`, losses: ["input[0].content[1].detail"] },
    },
    messages: {
      "openai-chat": { members: `${chatParts("")},"max_tokens":64` },
      "openai-responses": { members: `${items("auto")},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${blocks}` },
    },
  }),
};
