import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, TOOLS, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

const IMAGE = "iVBORw0KGgo=";
const URL = `data:image/png;base64,${IMAGE}`;
const BERN = '{"city":"Bern"}';
const CET = '{"zone":"CET"}';
const text = (bern: string): string => JSON.stringify(bern);

/** Two calls and the last question, around results in the upstream's own form. `ids` are the calls' own. */
function chat([first, second]: readonly string[], results: string, last: string): string {
  return (
    `${userSays("openai-chat", "Weather and time?")},{"role":"assistant","content":null,"tool_calls":[` +
    `{"id":"${first}","type":"function","function":{"name":"get_weather","arguments":${text(BERN)}}},` +
    `{"id":"${second}","type":"function","function":{"name":"get_time","arguments":${text(CET)}}}]},${results},${last}`
  );
}

function responses([first, second]: readonly string[], results: string): string {
  return (
    `${userSays("openai-responses", "Weather and time?")},` +
    `{"type":"function_call","call_id":"${first}","name":"get_weather","arguments":${text(BERN)}},` +
    `{"type":"function_call","call_id":"${second}","name":"get_time","arguments":${text(CET)}},` +
    `${results},${userSays("openai-responses", "And now?")}`
  );
}

function messages([first, second]: readonly string[], results: string): string {
  return (
    `${userSays("anthropic-messages", "Weather and time?")},{"role":"assistant","content":[` +
    `{"type":"tool_use","id":"${first}","name":"get_weather","input":${BERN}},` +
    `{"type":"tool_use","id":"${second}","name":"get_time","input":${CET}}]},` +
    `{"role":"user","content":[${results},{"type":"text","text":"And now?"}]}`
  );
}

const TOLD: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": `"tools":${JSON.stringify(TOOLS.chat)}`,
  "openai-responses": `"tools":${JSON.stringify(TOOLS.responses)}`,
  "anthropic-messages": `"tools":${JSON.stringify(TOOLS.messages)}`,
};
const cell = (inbound: Inbound, kind: UpstreamKind, conversation: string) => ({
  members: requestMembers(inbound, kind, { conversation, members: [TOLD[kind]] }),
  ...(inbound === "responses" ? { echo: { tools: JSON.stringify(TOOLS.responses) } } : {}),
});

const CALLS = ["call_1", "call_2"];
const TOOLUS = ["toolu_1", "toolu_2"];
const imageOfChat = (id: string, detail: string): string =>
  `{"role":"user","content":[{"type":"text","text":"Attachments of call ${id}:"},{"type":"image_url","image_url":{"url":"${URL}"${detail}}},{"type":"text","text":"And now?"}]}`;
const clock = `[{"type":"input_text","text":"A clock"},{"type":"input_image","detail":"auto","image_url":"${URL}"}]`;
const clockOfMessages =
  '[{"type":"text","text":"A clock"},' +
  `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${IMAGE}"}}]`;

/**
 * Two calls in one turn, both answered in the next, then text. The Chat format has texts alone as results; Responses
 * has images too; Messages has images and a mark of failure, which the others' models read in the text.
 */
export const toolResults: Topic = {
  name: "tool results",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Weather and time?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "get_weather", arguments: BERN } },
            { id: "call_2", type: "function", function: { name: "get_time", arguments: CET } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "12 degrees" },
        { role: "tool", tool_call_id: "call_2", content: "Noon" },
        { role: "user", content: "And now?" },
      ],
      tools: TOOLS.chat,
    },
    responses: {
      input: [
        { role: "user", content: "Weather and time?" },
        { type: "function_call", call_id: "call_1", name: "get_weather", arguments: BERN },
        { type: "function_call", call_id: "call_2", name: "get_time", arguments: CET },
        { type: "function_call_output", call_id: "call_1", output: "12 degrees" },
        {
          type: "function_call_output",
          call_id: "call_2",
          output: [
            { type: "input_text", text: "A clock" },
            { type: "input_image", image_url: URL, detail: "auto" },
          ],
        },
        { role: "user", content: "And now?" },
      ],
      tools: TOOLS.responses,
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Weather and time?" },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Bern" } },
            { type: "tool_use", id: "toolu_2", name: "get_time", input: { zone: "CET" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: "No such city", is_error: true },
            {
              type: "tool_result",
              tool_use_id: "toolu_2",
              content: [
                { type: "text", text: "A clock" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } },
              ],
            },
            { type: "text", text: "And now?" },
          ],
        },
      ],
      tools: TOOLS.messages,
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": cell(
        "chat",
        "openai-chat",
        chat(
          CALLS,
          '{"role":"tool","tool_call_id":"call_1","content":"12 degrees"},{"role":"tool","tool_call_id":"call_2","content":"Noon"}',
          userSays("openai-chat", "And now?"),
        ),
      ),
      "openai-responses": cell(
        "chat",
        "openai-responses",
        responses(
          CALLS,
          '{"type":"function_call_output","call_id":"call_1","output":"12 degrees"},{"type":"function_call_output","call_id":"call_2","output":"Noon"}',
        ),
      ),
      "anthropic-messages": cell(
        "chat",
        "anthropic-messages",
        messages(
          CALLS,
          '{"type":"tool_result","tool_use_id":"call_1","content":"12 degrees"},{"type":"tool_result","tool_use_id":"call_2","content":"Noon"}',
        ),
      ),
    },
    responses: {
      // A result holds no image there: the image comes first in what the user says next.
      "openai-chat": cell(
        "responses",
        "openai-chat",
        chat(
          CALLS,
          '{"role":"tool","tool_call_id":"call_1","content":"12 degrees"},{"role":"tool","tool_call_id":"call_2","content":"A clock"}',
          imageOfChat("call_2", ',"detail":"auto"'),
        ),
      ),
      "openai-responses": cell(
        "responses",
        "openai-responses",
        responses(
          CALLS,
          `{"type":"function_call_output","call_id":"call_1","output":"12 degrees"},{"type":"function_call_output","call_id":"call_2","output":${clock}}`,
        ),
      ),
      "anthropic-messages": cell(
        "responses",
        "anthropic-messages",
        messages(
          CALLS,
          `{"type":"tool_result","tool_use_id":"call_1","content":"12 degrees"},{"type":"tool_result","tool_use_id":"call_2","content":${clockOfMessages}}`,
        ),
      ),
    },
    messages: {
      "openai-chat": cell(
        "messages",
        "openai-chat",
        chat(
          TOOLUS,
          '{"role":"tool","tool_call_id":"toolu_1","content":"Error: No such city"},{"role":"tool","tool_call_id":"toolu_2","content":"A clock"}',
          imageOfChat("toolu_2", ""),
        ),
      ),
      "openai-responses": cell(
        "messages",
        "openai-responses",
        responses(
          TOOLUS,
          `{"type":"function_call_output","call_id":"toolu_1","output":"Error: No such city"},{"type":"function_call_output","call_id":"toolu_2","output":${clock}}`,
        ),
      ),
      "anthropic-messages": cell(
        "messages",
        "anthropic-messages",
        messages(
          TOOLUS,
          `{"type":"tool_result","tool_use_id":"toolu_1","content":"No such city","is_error":true},{"type":"tool_result","tool_use_id":"toolu_2","content":${clockOfMessages}}`,
        ),
      ),
    },
  }),
};
