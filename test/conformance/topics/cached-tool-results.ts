import { cachedAnswers, cachedRoutes, WITH_USAGE } from "../cached-usage.ts";
import { type Asked, type Nine, received } from "../pieces.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = { type: "object", properties: {} };
const SCHEMA_TEXT = '{"type":"object","properties":{}}';
const POINT = '"prompt_cache_breakpoint":{"mode":"explicit"}';
const CONTROL = '"cache_control":{"type":"ephemeral"}';

const chatTools = `"tools":[{"type":"function","function":{"name":"look","parameters":${SCHEMA_TEXT}}}]`;
const itemTools = (strict: string): string =>
  `"tools":[{"type":"function","name":"look","parameters":${SCHEMA_TEXT}${strict}}]`;
const tools = `"tools":[{"name":"look","input_schema":${SCHEMA_TEXT}}]`;

const chatMessages = (said: string): string =>
  `"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":${said},` +
  '"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]},' +
  `{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"Fog",${POINT}}]}]`;
const markedSaid = `[{"type":"text","text":"I look.",${POINT}}]`;
const items =
  '"input":[{"type":"message","role":"user","content":"Look."},' +
  '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look.","annotations":[]}]},' +
  '{"type":"function_call","call_id":"call_1","name":"look","arguments":"{}"},' +
  `{"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"Fog",${POINT}}]}]`;
const messages = (said: string, call: string, result: string): string =>
  `"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":[{"type":"text","text":"I look."${said}},` +
  `{"type":"tool_use","id":"call_1","name":"look","input":{}${call}}]},` +
  `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":${result}}]}]`;
const innerMark = `[{"type":"text","text":"Fog",${CONTROL}}]`;

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${chatMessages(markedSaid)},${chatTools}`) },
    // The model's own text carries no mark there.
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${items},${itemTools(',"strict":false')}`, ',"store":false'),
      losses: ["messages[1].content[0].prompt_cache_breakpoint"],
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,${messages(`,${CONTROL}`, "", innerMark)},${tools}`,
      ),
    },
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${chatMessages('"I look."')},${chatTools}`) },
    "openai-responses": { upstreamReceives: received("openai-responses", `${items},${itemTools("")}`) },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${messages("", "", innerMark)},${tools}`),
    },
  },
  messages: {
    // A mark on a result stands on the last part of what it says; a call has no place for one.
    "openai-chat": {
      upstreamReceives: received(
        "openai-chat",
        `${chatMessages(markedSaid)},${chatTools},"max_tokens":64,"prompt_cache_options":{"mode":"explicit"}`,
      ),
      losses: ["messages[1].content[1].cache_control"],
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `${items},${itemTools(',"strict":false')},"max_output_tokens":64,"prompt_cache_options":{"mode":"explicit"}`,
        ',"store":false',
      ),
      losses: ["messages[1].content[0].cache_control", "messages[1].content[1].cache_control"],
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":64,${messages(`,${CONTROL}`, `,${CONTROL}`, `"Fog",${CONTROL}`)},${tools}`,
      ),
    },
  },
};

const point = { prompt_cache_breakpoint: { mode: "explicit" } };
const control = { cache_control: { type: "ephemeral" } };

/** Marks in a loop of tools, where agents set them: on what the model said, on its call, and on the latest result. */
export const cachedToolResults: Topic = {
  name: "cache marks on answers, tool calls and results",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Look." },
        {
          role: "assistant",
          content: [{ type: "text", text: "I look.", ...point }],
          tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "Fog", ...point }] },
      ],
      tools: [{ type: "function", function: { name: "look", parameters: SCHEMA } }],
    },
    responses: {
      input: [
        { role: "user", content: "Look." },
        { role: "assistant", content: [{ type: "output_text", text: "I look.", annotations: [] }] },
        { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "Fog", ...point }] },
      ],
      tools: [{ type: "function", name: "look", parameters: SCHEMA }],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Look." },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look.", ...control },
            { type: "tool_use", id: "call_1", name: "look", input: {}, ...control },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Fog", ...control }] },
      ],
      tools: [{ name: "look", input_schema: SCHEMA }],
    },
  },
  streamedRequests: WITH_USAGE,
  upstreamAnswers: cachedAnswers,
  routes: cachedRoutes(asked, {
    tools: `[{"type":"function","name":"look","parameters":${SCHEMA_TEXT},"description":null,"strict":null}]`,
  }),
};
