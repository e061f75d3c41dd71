import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, TOOLS, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

const ASKED = "Draw both.";
const IDS = ["call_1", "call_2"] as const;
const DATA = { call_1: "AAAA", call_2: "BBBB" } as const;
const url = (id: (typeof IDS)[number]): string => `data:image/png;base64,${DATA[id]}`;
const ARGUMENTS = '{"city":"Bern"}';
const all = (one: (id: (typeof IDS)[number]) => string): string => IDS.map(one).join(",");

/** Chat has the pictures behind the results, and says of which call they are; `detail` is what Responses says. */
const chat = (detail: string): string =>
  `${userSays("openai-chat", ASKED)},{"role":"assistant","content":null,"tool_calls":[${all(
    (id) =>
      `{"id":"${id}","type":"function","function":{"name":"get_weather","arguments":${JSON.stringify(ARGUMENTS)}}}`,
  )}]},${all(
    (id) => `{"role":"tool","tool_call_id":"${id}","content":"See the attachments of this call below."}`,
  )},{"role":"user","content":[${all(
    (id) =>
      `{"type":"text","text":"Attachments of call ${id}:"},{"type":"image_url","image_url":{"url":"${url(id)}"${detail}}}`,
  )}]}`;
const RESPONSES = `${userSays("openai-responses", ASKED)},${all(
  (id) => `{"type":"function_call","call_id":"${id}","name":"get_weather","arguments":${JSON.stringify(ARGUMENTS)}}`,
)},${all(
  (id) =>
    `{"type":"function_call_output","call_id":"${id}","output":[{"type":"input_image","detail":"auto","image_url":"${url(id)}"}]}`,
)}`;
const MESSAGES = `${userSays("anthropic-messages", ASKED)},{"role":"assistant","content":[${all(
  (id) => `{"type":"tool_use","id":"${id}","name":"get_weather","input":${ARGUMENTS}}`,
)}]},{"role":"user","content":[${all(
  (id) =>
    `{"type":"tool_result","tool_use_id":"${id}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${DATA[id]}"}}]}`,
)}]}`;

const TOLD: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": `"tools":${JSON.stringify(TOOLS.chat)}`,
  "openai-responses": `"tools":${JSON.stringify(TOOLS.responses)}`,
  "anthropic-messages": `"tools":${JSON.stringify(TOOLS.messages)}`,
};
const cell = (inbound: Inbound, kind: UpstreamKind, conversation: string) => ({
  members: requestMembers(inbound, kind, { conversation, members: [TOLD[kind]] }),
  ...(inbound === "responses" ? { echo: { tools: JSON.stringify(TOOLS.responses) } } : {}),
});

/** Results of two calls that are pictures and nothing else. OpenAI's own Chat format has none. */
export const picturesOfResults: Topic = {
  name: "pictures of two tool results",
  absentIn: ["chat"],
  requests: {
    chat: { messages: [{ role: "user", content: ASKED }] },
    responses: {
      input: [
        { role: "user", content: ASKED },
        ...IDS.map((id) => ({ type: "function_call", call_id: id, name: "get_weather", arguments: ARGUMENTS })),
        ...IDS.map((id) => ({
          type: "function_call_output",
          call_id: id,
          output: [{ type: "input_image", image_url: url(id), detail: "auto" }],
        })),
      ],
      tools: TOOLS.responses,
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: ASKED },
        {
          role: "assistant",
          content: IDS.map((id) => ({ type: "tool_use", id, name: "get_weather", input: { city: "Bern" } })),
        },
        {
          role: "user",
          content: IDS.map((id) => ({
            type: "tool_result",
            tool_use_id: id,
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: DATA[id] } }],
          })),
        },
      ],
      tools: TOOLS.messages,
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `"messages":[${userSays("openai-chat", ASKED)}]` },
      "openai-responses": { members: `"input":[${userSays("openai-responses", ASKED)}]` },
      "anthropic-messages": { members: `"max_tokens":4096,"messages":[${userSays("anthropic-messages", ASKED)}]` },
    },
    responses: {
      "openai-chat": cell("responses", "openai-chat", chat(',"detail":"auto"')),
      "openai-responses": cell("responses", "openai-responses", RESPONSES),
      "anthropic-messages": cell("responses", "anthropic-messages", MESSAGES),
    },
    messages: {
      "openai-chat": cell("messages", "openai-chat", chat("")),
      "openai-responses": cell("messages", "openai-responses", RESPONSES),
      "anthropic-messages": cell("messages", "anthropic-messages", MESSAGES),
    },
  }),
};
