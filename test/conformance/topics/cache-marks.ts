import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const SCHEMA = '{"type":"object","properties":{}}';
const TOOL = { name: "look", input_schema: { type: "object", properties: {} } };

const cells: TextCells = {
  chat: {
    "openai-chat": {
      members:
        '"messages":[{"role":"system","content":[{"type":"text","text":"Be brief.","prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]},' +
        '{"role":"user","content":[{"type":"text","text":"A long text","prompt_cache_breakpoint":{"mode":"explicit"}}]}],"prompt_cache_key":"k"',
    },
    "openai-responses": {
      members:
        '"input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief.","prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]},' +
        '{"type":"message","role":"user","content":[{"type":"input_text","text":"A long text","prompt_cache_breakpoint":{"mode":"explicit"}}]}],"prompt_cache_key":"k"',
    },
    // A mark without a lifetime is the same here; 30 minutes is not a lifetime that the format has.
    "anthropic-messages": {
      members:
        '"max_tokens":4096,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"A long text","cache_control":{"type":"ephemeral"}}]}]',
      losses: ["messages[0].content[0].prompt_cache_breakpoint.ttl", "prompt_cache_key"],
    },
  },
  responses: {
    // Servers other than OpenAI's may refuse the breakpoints of a caller who does not know them.
    "openai-chat": {
      members:
        '"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"A long text"}],"prompt_cache_key":"k"',
      losses: ["input[0].content[0].prompt_cache_breakpoint"],
      echo: { instructions: '"Be brief."', prompt_cache_key: '"k"' },
    },
    "openai-responses": {
      members:
        '"instructions":"Be brief.","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"A long text","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}]}],"prompt_cache_key":"k"',
      echo: { instructions: '"Be brief."', prompt_cache_key: '"k"' },
    },
    "anthropic-messages": {
      members:
        '"max_tokens":4096,"system":"Be brief.","messages":[{"role":"user","content":[{"type":"text","text":"A long text","cache_control":{"type":"ephemeral"}}]}]',
      losses: ["input[0].content[0].prompt_cache_breakpoint.ttl", "prompt_cache_key"],
      echo: { instructions: '"Be brief."', prompt_cache_key: '"k"' },
    },
  },
  messages: {
    "openai-chat": {
      members:
        '"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"A long text"}],' +
        `"tools":[{"type":"function","function":{"name":"look","parameters":${SCHEMA}}}],"max_completion_tokens":64`,
      losses: [
        "system[0].cache_control",
        "messages[0].content[0].cache_control",
        "tools[0].cache_control",
        "cache_control",
      ],
    },
    "openai-responses": {
      members:
        '"instructions":"Be brief.","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"A long text"}]}],' +
        `"tools":[{"type":"function","name":"look","parameters":${SCHEMA},"strict":false}],"max_output_tokens":64`,
      losses: [
        "system[0].cache_control",
        "messages[0].content[0].cache_control",
        "tools[0].cache_control",
        "cache_control",
      ],
    },
    "anthropic-messages": {
      members:
        '"max_tokens":64,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"A long text","cache_control":{"type":"ephemeral","ttl":"5m"}}]}],' +
        `"tools":[{"name":"look","input_schema":${SCHEMA},"cache_control":{"type":"ephemeral","ttl":"1h"}}],"cache_control":{"type":"ephemeral"}`,
    },
  },
};

/** Marks in the prompt that say up to where it is worth keeping, and the key of a cache. */
export const cacheMarks: Topic = {
  name: "cache marks",
  requests: {
    chat: {
      messages: [
        {
          role: "system",
          content: [{ type: "text", text: "Be brief.", prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } }],
        },
        {
          role: "user",
          content: [{ type: "text", text: "A long text", prompt_cache_breakpoint: { mode: "explicit" } }],
        },
      ],
      prompt_cache_key: "k",
    },
    responses: {
      instructions: "Be brief.",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "A long text", prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } },
          ],
        },
      ],
      prompt_cache_key: "k",
    },
    messages: {
      max_tokens: 64,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral", ttl: "1h" } }],
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "A long text", cache_control: { type: "ephemeral", ttl: "5m" } }],
        },
      ],
      tools: [{ ...TOOL, cache_control: { type: "ephemeral", ttl: "1h" } }],
      cache_control: { type: "ephemeral" },
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes(cells),
};
