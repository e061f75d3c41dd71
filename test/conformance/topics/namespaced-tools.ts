import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = { type: "object", properties: {} };
const user = [{ role: "user", content: "Bugs?" }];
const ORDINARY = '"messages":[{"role":"user","content":"Bugs?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Bugs?"}]';

const tools = [
  { type: "function", name: "exec", parameters: SCHEMA, strict: false },
  {
    type: "namespace",
    name: "mcp__github__",
    description: "Issues of one repository.",
    tools: [
      { type: "function", name: "search", description: "Finds issues.", strict: false, parameters: SCHEMA },
      { type: "function", name: "close", strict: false, parameters: SCHEMA },
    ],
  },
  {
    type: "namespace",
    name: "agents",
    description: "",
    tools: [{ type: "function", name: "spawn", strict: false, parameters: SCHEMA }],
  },
];
const history = [
  { type: "message", role: "user", content: "Bugs?" },
  { type: "function_call", call_id: "call_1", name: "search", arguments: '{"q":"bug"}', namespace: "mcp__github__" },
  { type: "function_call_output", call_id: "call_1", output: "#7", namespace: "mcp__github__", name: "search" },
];
/**
 * The tools that a format without namespaces is told of: what the namespace says of itself stands with its first tool.
 */
const FLAT: readonly (readonly [name: string, description?: string])[] = [
  ["exec"],
  ["mcp__github__search", '"mcp__github__: Issues of one repository.\\n\\nFinds issues."'],
  ["mcp__github__close"],
  ["agents__spawn"],
];
const described = (text: string | undefined): string => (text === undefined ? "" : `"description":${text},`);
const chatTools = FLAT.map(
  ([name, text]) =>
    `{"type":"function","function":{"name":"${name}",${described(text)}"parameters":{"type":"object","properties":{}},"strict":false}}`,
);
const messagesTools = FLAT.map(
  ([name, text]) =>
    `{"name":"${name}",${described(text)}"input_schema":{"type":"object","properties":{}},"strict":false}`,
);
/** A Response says of a function that it has no description. */
const echo = { tools: JSON.stringify([{ ...tools[0], description: null }, ...tools.slice(1)]) };

/** Tools of MCP servers and of subagents, which agents group in namespaces, one of them called before. */
export const namespacedTools: Topic = {
  name: "namespaced tools, one of them called before",
  absentIn: ["chat", "messages"],
  requests: {
    chat: { messages: user },
    responses: { input: history, tools },
    messages: { max_tokens: 64, messages: user },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: ORDINARY },
      "openai-responses": { members: ITEMS },
      "anthropic-messages": { members: `"max_tokens":4096,${ORDINARY}` },
    },
    responses: {
      "openai-chat": {
        members:
          '"messages":[{"role":"user","content":"Bugs?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1",' +
          '"type":"function","function":{"name":"mcp__github__search","arguments":"{\\"q\\":\\"bug\\"}"}}]},' +
          `{"role":"tool","tool_call_id":"call_1","content":"#7"}],"tools":[${chatTools.join(",")}]`,
        echo,
      },
      "openai-responses": {
        members: `"input":${JSON.stringify(history)},"tools":${JSON.stringify(tools)}`,
        echo,
      },
      "anthropic-messages": {
        members:
          '"max_tokens":4096,"messages":[{"role":"user","content":"Bugs?"},{"role":"assistant","content":[{"type":"tool_use",' +
          '"id":"call_1","name":"mcp__github__search","input":{"q":"bug"}}]},{"role":"user","content":[{"type":"tool_result",' +
          `"tool_use_id":"call_1","content":"#7"}]}],"tools":[${messagesTools.join(",")}]`,
        echo,
      },
    },
    messages: {
      "openai-chat": { members: `${ORDINARY},"max_tokens":64` },
      "openai-responses": { members: `${ITEMS},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${ORDINARY}` },
    },
  }),
};
