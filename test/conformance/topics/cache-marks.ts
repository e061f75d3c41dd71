import { cachedAnswers, cachedRoutes, WITH_USAGE } from "../cached-usage.ts";
import { type Asked, type Nine, received } from "../pieces.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = '{"type":"object","properties":{}}';
const TOOL = { name: "look", input_schema: { type: "object", properties: {} } };

const chatSystem =
  '{"role":"system","content":[{"type":"text","text":"Be brief.","prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]}';
const systemItem =
  '{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief.","prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]}';
const chatUser = (ttl = ""): string =>
  `{"role":"user","content":[{"type":"text","text":"A long text","prompt_cache_breakpoint":{"mode":"explicit"${ttl}}}]}`;
const userItem = (ttl = ""): string =>
  `{"type":"message","role":"user","content":[{"type":"input_text","text":"A long text","prompt_cache_breakpoint":{"mode":"explicit"${ttl}}}]}`;
const user = (ttl = ""): string =>
  `{"role":"user","content":[{"type":"text","text":"A long text","cache_control":{"type":"ephemeral"${ttl}}}]}`;

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `"messages":[${chatSystem},${chatUser()}],"prompt_cache_key":"k"`),
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `"input":[${systemItem},${userItem()}],"prompt_cache_key":"k"`,
        ',"store":false',
      ),
    },
    // A mark without a lifetime is the same here. Of 30 minutes, five are the longest that the format has.
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        '"max_tokens":4096,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],' +
          `"messages":[${user()}]`,
      ),
      losses: ["messages[0].content[0].prompt_cache_breakpoint.ttl", "prompt_cache_key"],
    },
  },
  responses: {
    "openai-chat": {
      upstreamReceives: received(
        "openai-chat",
        `"messages":[{"role":"system","content":"Be brief."},${chatUser(',"ttl":"12h"')}],"prompt_cache_key":"k"`,
      ),
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `"instructions":"Be brief.","input":[${userItem(',"ttl":"12h"')}],"prompt_cache_key":"k"`,
      ),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,"system":"Be brief.","messages":[${user(',"ttl":"1h"')}]`,
      ),
      losses: ["input[0].content[0].prompt_cache_breakpoint.ttl", "prompt_cache_key"],
    },
  },
  messages: {
    // Of an hour, 30 minutes are the longest that the format has; five minutes are within what it keeps anyway.
    "openai-chat": {
      upstreamReceives: received(
        "openai-chat",
        `"messages":[${chatSystem},${chatUser()}],` +
          `"tools":[{"type":"function","function":{"name":"look","parameters":${SCHEMA}}}],"max_tokens":64,` +
          '"prompt_cache_options":{"mode":"explicit"}',
      ),
      losses: ["system[0].cache_control.ttl", "tools[0].cache_control"],
    },
    // Instructions carry no mark; a system message in front of all others says the same and does.
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `"input":[${systemItem},${userItem()}],` +
          `"tools":[{"type":"function","name":"look","parameters":${SCHEMA},"strict":false}],"max_output_tokens":64,` +
          '"prompt_cache_options":{"mode":"explicit"}',
        ',"store":false',
      ),
      losses: ["system[0].cache_control.ttl", "tools[0].cache_control"],
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        '"max_tokens":64,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
          `"messages":[${user(',"ttl":"5m"')}],` +
          `"tools":[{"name":"look","input_schema":${SCHEMA},"cache_control":{"type":"ephemeral","ttl":"1h"}}]`,
      ),
    },
  },
};

const mark = (ttl?: string) => ({
  prompt_cache_breakpoint: { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) },
});
const control = (ttl: string) => ({ cache_control: { type: "ephemeral", ttl } });

/** Marks in the prompt that say up to where it is worth keeping, and the key of a cache. */
export const cacheMarks: Topic = {
  name: "cache marks on instructions, texts and tools",
  requests: {
    chat: {
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", ...mark("30m") }] },
        { role: "user", content: [{ type: "text", text: "A long text", ...mark() }] },
      ],
      prompt_cache_key: "k",
    },
    responses: {
      instructions: "Be brief.",
      input: [{ role: "user", content: [{ type: "input_text", text: "A long text", ...mark("12h") }] }],
      prompt_cache_key: "k",
    },
    messages: {
      max_tokens: 64,
      system: [{ type: "text", text: "Be brief.", ...control("1h") }],
      messages: [{ role: "user", content: [{ type: "text", text: "A long text", ...control("5m") }] }],
      tools: [{ ...TOOL, ...control("1h") }],
    },
  },
  streamedRequests: WITH_USAGE,
  upstreamAnswers: cachedAnswers,
  routes: cachedRoutes(asked, { instructions: '"Be brief."', prompt_cache_key: '"k"' }),
};
