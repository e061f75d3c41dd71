import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, TOOLS, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

const ASKED = "Weather?";
const BERN = '{"city":"Bern"}';
const ARGUMENTS = JSON.stringify(BERN);

/** The model of another provider said two line feeds before its call, and the tool a blank. */
const CONVERSATION: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat":
    `${userSays("openai-chat", ASKED)},{"role":"assistant","content":"\\n\\n","tool_calls":[` +
    `{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":${ARGUMENTS}}}]},` +
    '{"role":"tool","tool_call_id":"call_1","content":" "}',
  "openai-responses":
    `${userSays("openai-responses", ASKED)},` +
    '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"\\n\\n","annotations":[]}]},' +
    `{"type":"function_call","call_id":"call_1","name":"get_weather","arguments":${ARGUMENTS}},` +
    '{"type":"function_call_output","call_id":"call_1","output":" "}',
  "anthropic-messages":
    `${userSays("anthropic-messages", ASKED)},{"role":"assistant","content":[` +
    `{"type":"tool_use","id":"call_1","name":"get_weather","input":${BERN}}]},` +
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1"}]}',
};
/** What callers of the format say themselves is theirs. */
const OWN = CONVERSATION["anthropic-messages"].replace(
  '"tool_use_id":"call_1"',
  '"tool_use_id":"call_1","content":" "',
);
const TOLD: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": `"tools":${JSON.stringify(TOOLS.chat)}`,
  "openai-responses": `"tools":${JSON.stringify(TOOLS.responses)}`,
  "anthropic-messages": `"tools":${JSON.stringify(TOOLS.messages)}`,
};
const cell = (inbound: Inbound, kind: UpstreamKind, conversation = CONVERSATION[kind]) => ({
  members: requestMembers(inbound, kind, { conversation, members: [TOLD[kind]] }),
  ...(inbound === "responses" ? { echo: { tools: JSON.stringify(TOOLS.responses) } } : {}),
});

/** Texts of white space alone, which Anthropic refuses. */
export const blankTexts: Topic = {
  name: "blank texts beside calls",
  requests: {
    chat: {
      messages: [
        { role: "user", content: ASKED },
        {
          role: "assistant",
          content: "\n\n",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: BERN } }],
        },
        { role: "tool", tool_call_id: "call_1", content: " " },
      ],
      tools: TOOLS.chat,
    },
    responses: {
      input: [
        { role: "user", content: ASKED },
        { role: "assistant", content: [{ type: "output_text", text: "\n\n", annotations: [] }] },
        { type: "function_call", call_id: "call_1", name: "get_weather", arguments: BERN },
        { type: "function_call_output", call_id: "call_1", output: " " },
      ],
      tools: TOOLS.responses,
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: ASKED },
        {
          role: "assistant",
          content: [
            { type: "text", text: "\n\n" },
            { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Bern" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: " " }] },
      ],
      tools: TOOLS.messages,
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": cell("chat", "openai-chat"),
      "openai-responses": cell("chat", "openai-responses"),
      "anthropic-messages": cell("chat", "anthropic-messages"),
    },
    responses: {
      "openai-chat": cell("responses", "openai-chat"),
      "openai-responses": cell("responses", "openai-responses"),
      "anthropic-messages": cell("responses", "anthropic-messages"),
    },
    messages: {
      "openai-chat": cell("messages", "openai-chat"),
      "openai-responses": cell("messages", "openai-responses"),
      "anthropic-messages": cell("messages", "anthropic-messages", OWN),
    },
  }),
};
