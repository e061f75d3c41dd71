import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = { type: "object", properties: {} };
const HOUR = { type: "ephemeral", ttl: "1h" };
const request = {
  messages: [
    { role: "system", content: "Be brief.", cache_control: { type: "ephemeral" } },
    { role: "user", content: [{ type: "text", text: "A long text", cache_control: HOUR }] },
  ],
  tools: [{ type: "function", function: { name: "look", parameters: SCHEMA }, cache_control: { type: "ephemeral" } }],
};
const TOOL = '"function":{"name":"look","parameters":{"type":"object","properties":{}}}';
const plain = { role: "user", content: "A long text" };
const hour = '"cache_control":{"type":"ephemeral","ttl":"1h"}';

/**
 * `cache_control` on messages, parts and tools of Chat, as OpenRouter and LiteLLM take it. What it covers before an
 * hour is written for an hour with it.
 */
export const cacheControlOfChat: Topic = {
  name: "cache_control of Chat callers",
  absentIn: ["responses", "messages"],
  requests: {
    chat: request,
    responses: { input: "A long text" },
    messages: { max_tokens: 64, messages: [plain] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": {
        members:
          '"messages":[{"role":"system","content":"Be brief.","cache_control":{"type":"ephemeral"}},' +
          `{"role":"user","content":[{"type":"text","text":"A long text",${hour}}]}],` +
          `"tools":[{"type":"function",${TOOL},"cache_control":{"type":"ephemeral"}}]`,
      },
      "openai-responses": {
        members:
          '"input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief.",' +
          '"prompt_cache_breakpoint":{"mode":"explicit"}}]},{"type":"message","role":"user","content":[{"type":"input_text",' +
          '"text":"A long text","prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]}],' +
          '"tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}},"strict":false}]',
        losses: ["messages[1].content[0].cache_control.ttl", "tools[0].cache_control"],
      },
      "anthropic-messages": {
        members:
          `"max_tokens":4096,"system":[{"type":"text","text":"Be brief.",${hour}}],` +
          `"messages":[{"role":"user","content":[{"type":"text","text":"A long text",${hour}}]}],` +
          `"tools":[{"name":"look","input_schema":{"type":"object","properties":{}},${hour}}]`,
      },
    },
    responses: {
      "openai-chat": { members: `"messages":[${JSON.stringify(plain)}]` },
      "openai-responses": { members: '"input":[{"type":"message","role":"user","content":"A long text"}]' },
      "anthropic-messages": { members: `"max_tokens":4096,"messages":[${JSON.stringify(plain)}]` },
    },
    messages: {
      "openai-chat": { members: `"messages":[${JSON.stringify(plain)}],"max_tokens":64` },
      "openai-responses": {
        members: '"input":[{"type":"message","role":"user","content":"A long text"}],"max_output_tokens":64',
      },
      "anthropic-messages": { members: `"max_tokens":64,"messages":[${JSON.stringify(plain)}]` },
    },
  }),
};
