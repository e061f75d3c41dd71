import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import type { Topic } from "../topic.ts";

/** A tool whose input is free text held to a grammar, whose members Chat has one level down. */
const GRAMMAR = { syntax: "lark", definition: "start: /.+/" };
export const CUSTOM_TOOL = {
  chat: {
    type: "custom",
    custom: { name: "calc", description: "Sums", format: { type: "grammar", grammar: GRAMMAR } },
  },
  responses: { type: "custom", name: "calc", description: "Sums", format: { type: "grammar", ...GRAMMAR } },
} as const;
/** Servers that know functions alone get one of a single text, whose description tells the grammar. */
const told = {
  name: "calc",
  description: "Sums\n\nThe input must obey this lark grammar:\nstart: /.+/",
};
const schema = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool, as plain text." } },
  required: ["input"],
  additionalProperties: false,
};
export const CUSTOM_AS_FUNCTION = {
  chat: { type: "function", function: { ...told, parameters: schema } },
  messages: { ...told, input_schema: schema },
} as const;
/** A tool as Anthropic may define one tomorrow, which nobody else knows. */
export const SERVER_TOOL = { type: "notebook_20271001", name: "notebook" } as const;

const SEARCH = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "news" } };
const FOUND = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [{ type: "web_search_result", url: "https://example.com", title: "Rain", encrypted_content: "e30=" }],
};

const toChat =
  `${userSays("openai-chat", "1+2?")},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"custom",` +
  '"custom":{"name":"calc","input":"1+2"}}]},{"role":"tool","tool_call_id":"call_1","content":"3"},' +
  userSays("openai-chat", "And?");
const toResponses =
  `${userSays("openai-responses", "1+2?")},{"type":"custom_tool_call","call_id":"call_1","name":"calc","input":"1+2"},` +
  `{"type":"custom_tool_call_output","call_id":"call_1","output":"3"},${userSays("openai-responses", "And?")}`;
const toFunctions =
  `${userSays("openai-chat", "1+2?")},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
  '"function":{"name":"calc","arguments":"{\\"input\\":\\"1+2\\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"3"},' +
  userSays("openai-chat", "And?");
const toMessages =
  `${userSays("anthropic-messages", "1+2?")},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"calc","input":{"input":"1+2"}}]},` +
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"3"},{"type":"text","text":"And?"}]}';

const chatTool = `"tools":[${JSON.stringify(CUSTOM_TOOL.chat)}]`;
const chatFunction = `"tools":[${JSON.stringify(CUSTOM_AS_FUNCTION.chat)}]`;
const messagesFunction = `"tools":[${JSON.stringify(CUSTOM_AS_FUNCTION.messages)}]`;
const responsesTool = `"tools":[${JSON.stringify(CUSTOM_TOOL.responses)}]`;
const echo = { tools: `[${JSON.stringify(CUSTOM_TOOL.responses)}]` };
const hosted = ["messages[1].content[0]", "messages[1].content[1]", "tools[0]"];

/** Tools that only some formats have, with a call of each in the history. */
export const customTools: Topic = {
  name: "custom tools; a tool that Messages defines",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "1+2?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "custom", custom: { name: "calc", input: "1+2" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "3" },
        { role: "user", content: "And?" },
      ],
      tools: [CUSTOM_TOOL.chat],
    },
    responses: {
      input: [
        { role: "user", content: "1+2?" },
        { type: "custom_tool_call", call_id: "call_1", name: "calc", input: "1+2" },
        { type: "custom_tool_call_output", call_id: "call_1", output: "3" },
        { role: "user", content: "And?" },
      ],
      tools: [CUSTOM_TOOL.responses],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "News?" },
        { role: "assistant", content: [SEARCH, FOUND, { type: "text", text: "Rain." }] },
        { role: "user", content: "And?" },
      ],
      tools: [SERVER_TOOL],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: requestMembers("chat", "openai-chat", { conversation: toChat, members: [chatTool] }) },
      "openai-responses": {
        members: requestMembers("chat", "openai-responses", { conversation: toResponses, members: [responsesTool] }),
      },
      "anthropic-messages": {
        members: requestMembers("chat", "anthropic-messages", {
          conversation: toMessages,
          members: [messagesFunction],
        }),
        losses: ["tools[0].custom.format"],
      },
    },
    responses: {
      "openai-chat": {
        members: requestMembers("responses", "openai-chat", { conversation: toFunctions, members: [chatFunction] }),
        losses: ["tools[0].format"],
        echo,
      },
      "openai-responses": {
        members: requestMembers("responses", "openai-responses", {
          conversation: toResponses,
          members: [responsesTool],
        }),
        echo,
      },
      "anthropic-messages": {
        members: requestMembers("responses", "anthropic-messages", {
          conversation: toMessages,
          members: [messagesFunction],
        }),
        losses: ["tools[0].format"],
        echo,
      },
    },
    messages: {
      "openai-chat": {
        members: requestMembers("messages", "openai-chat", {
          conversation: `${userSays("openai-chat", "News?")},{"role":"assistant","content":"Rain."},${userSays("openai-chat", "And?")}`,
        }),
        losses: hosted,
      },
      "openai-responses": {
        members: requestMembers("messages", "openai-responses", {
          conversation:
            `${userSays("openai-responses", "News?")},{"type":"message","role":"assistant","content":` +
            `[{"type":"output_text","text":"Rain.","annotations":[]}]},${userSays("openai-responses", "And?")}`,
        }),
        losses: hosted,
      },
      "anthropic-messages": {
        members: requestMembers("messages", "anthropic-messages", {
          conversation:
            `${userSays("anthropic-messages", "News?")},{"role":"assistant","content":[${JSON.stringify(SEARCH)},` +
            `${JSON.stringify(FOUND)},{"type":"text","text":"Rain."}]},${userSays("anthropic-messages", "And?")}`,
          members: [`"tools":[${JSON.stringify(SERVER_TOOL)}]`],
        }),
      },
    },
  }),
};
