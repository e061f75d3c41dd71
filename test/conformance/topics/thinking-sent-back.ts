import { type Asked, type Nine, received, routesOf } from "../pieces.ts";
import { textRoute } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = { type: "object", properties: { q: { type: "integer" } } };
const SCHEMA_TEXT = '{"type":"object","properties":{"q":{"type":"integer"}}}';
const SEALED = "<sealed:c2lnKy8=>";

const chatTools = (strict: string): string =>
  `"tools":[{"type":"function","function":{"name":"look","parameters":${SCHEMA_TEXT}${strict}}}]`;
const messagesTools = (strict: string): string => `"tools":[{"name":"look","input_schema":${SCHEMA_TEXT}${strict}}]`;
const TOOLS = `"tools":[{"type":"function","name":"look","parameters":${SCHEMA_TEXT},"strict":false}]`;

const chat = (details: string): string =>
  '"messages":[{"role":"user","content":"Look it up"},{"role":"assistant","content":null,"reasoning_content":"I look.",' +
  `"reasoning_details":[${details}],` +
  '"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{\\"q\\":1}"}}]},' +
  '{"role":"tool","tool_call_id":"call_1","content":"42"}]';
const CHAT = chat(
  '{"type":"reasoning.summary","summary":"I look."},{"type":"reasoning.text","text":"","signature":"c2lnKy8="}',
);
/** A Messages caller has one text for both kinds: it is the text that was signed. */
const CHAT_SIGNED = chat('{"type":"reasoning.text","text":"I look.","signature":"c2lnKy8="}');
const MESSAGES =
  '"messages":[{"role":"user","content":"Look it up"},{"role":"assistant","content":[{"type":"thinking","thinking":"I look.","signature":"c2lnKy8="},' +
  '{"type":"tool_use","id":"call_1","name":"look","input":{"q":1}}]},' +
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"42"}]}]';
const items = (id: string): string =>
  `"input":[{"type":"message","role":"user","content":"Look it up"},{"type":"reasoning",${id}"summary":[{"type":"summary_text","text":"I look."}],"encrypted_content":"c2lnKy8="},` +
  '{"type":"function_call","call_id":"call_1","name":"look","arguments":"{\\"q\\":1}"},' +
  '{"type":"function_call_output","call_id":"call_1","output":"42"}]';
const STATELESS = ',"store":false,"include":["reasoning.encrypted_content"]';
const STRICT = ',"strict":false';

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},${chatTools("")}`) },
    "openai-responses": { upstreamReceives: received("openai-responses", `${items("")},${TOOLS}`, STATELESS) },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${MESSAGES},${messagesTools("")}`),
    },
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},${chatTools(STRICT)}`) },
    "openai-responses": { upstreamReceives: received("openai-responses", `${items('"id":"rs_1",')},${TOOLS}`) },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${MESSAGES},${messagesTools(STRICT)}`),
    },
  },
  messages: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT_SIGNED},${chatTools("")},"max_tokens":64`),
    },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${items("")},${TOOLS},"max_output_tokens":64`, STATELESS),
    },
    "anthropic-messages": {
      upstreamReceives: received("anthropic-messages", `"max_tokens":64,${MESSAGES},${messagesTools("")}`),
    },
  },
};

const echo = {
  tools: `[{"type":"function","name":"look","parameters":${SCHEMA_TEXT},"strict":false,"description":null}]`,
};

/** A tool loop: the upstream that signed its thinking gets it back, byte for byte, before the call that it led to. */
export const thinkingSentBack: Topic = {
  name: "thinking sent back",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Look it up" },
        {
          role: "assistant",
          content: null,
          reasoning_content: "I look.",
          reasoning_details: [
            { type: "reasoning.summary", summary: "I look." },
            { type: "reasoning.text", text: "", signature: SEALED },
          ],
          tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: '{"q":1}' } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "42" },
      ],
      tools: [{ type: "function", function: { name: "look", parameters: SCHEMA } }],
    },
    responses: {
      input: [
        { role: "user", content: "Look it up" },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "I look." }],
          encrypted_content: SEALED,
        },
        { type: "function_call", call_id: "call_1", name: "look", arguments: '{"q":1}' },
        { type: "function_call_output", call_id: "call_1", output: "42" },
      ],
      tools: [{ type: "function", name: "look", parameters: SCHEMA, strict: false }],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Look it up" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I look.", signature: SEALED },
            { type: "tool_use", id: "call_1", name: "look", input: { q: 1 } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "42" }] },
      ],
      tools: [{ name: "look", input_schema: SCHEMA }],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: routesOf(asked, {
    chat: (kind) => textRoute("chat", kind, { upstreamReceives: "" }),
    responses: (kind) => textRoute("responses", kind, { upstreamReceives: "", echo }),
    messages: (kind) => textRoute("messages", kind, { upstreamReceives: "" }),
  }),
};
