import type OpenAI from "openai";
import { CALLS, SIGNATURE, TEXT, THOUGHT } from "../../support/upstream-frames.ts";

/** How a conversation begins in the tests of Chat Completions. */
export const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
];

export const tools: OpenAI.Chat.ChatCompletionFunctionTool[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Tells the weather.",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

/** The calls of a turn, as the SDK shows them and sends them back. */
export const toolCalls = CALLS.map((call) => ({
  id: call.id,
  type: "function" as const,
  function: { name: call.name, arguments: call.arguments },
}));

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};

/** What each upstream is asked when a structured answer is wanted. */
export const STRUCTURED = {
  chat: { response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema } } },
  responses: { text: { format: { type: "json_schema", name: "city", strict: true, schema } } },
  messages: { output_config: { format: { type: "json_schema", schema } } },
};

/** What each upstream receives after the tools have answered. */
export const LOOP = {
  chat: {
    messages: [
      ...messages,
      { role: "assistant", tool_calls: toolCalls },
      { role: "tool", tool_call_id: "call_oslo", content: 'fine in {"city":"Oslo"}' },
      { role: "tool", tool_call_id: "call_rome", content: 'fine in {"city":"Rome"}' },
    ],
  },
  responses: {
    store: false,
    input: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { type: "function_call", call_id: "call_oslo", name: "get_weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "call_rome", name: "get_weather", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "call_oslo", output: 'fine in {"city":"Oslo"}' },
      { type: "function_call_output", call_id: "call_rome", output: 'fine in {"city":"Rome"}' },
    ],
    tools: [{ type: "function", name: "get_weather", strict: false }],
  },
  messages: {
    system: "Be brief.",
    max_tokens: 64000,
    messages: [
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_oslo", name: "get_weather", input: { city: "Oslo" } },
          { type: "tool_use", id: "call_rome", name: "get_weather", input: { city: "Rome" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_oslo", content: 'fine in {"city":"Oslo"}' },
          { type: "tool_result", tool_use_id: "call_rome", content: 'fine in {"city":"Rome"}' },
        ],
      },
    ],
    tools: [{ name: "get_weather", description: "Tells the weather." }],
  },
};

/** How each upstream gets its own reasoning back. */
export const THOUGHT_BACK = {
  chat: {
    messages: [
      ...messages,
      {
        role: "assistant",
        content: TEXT,
        reasoning_content: THOUGHT,
        reasoning_details: [{ type: "reasoning.text", text: THOUGHT, signature: SIGNATURE }],
      },
      { role: "user", content: "And?" },
    ],
  },
  responses: {
    include: ["reasoning.encrypted_content"],
    input: [
      { role: "system" },
      { role: "user" },
      { type: "reasoning", summary: [{ type: "summary_text", text: THOUGHT }], encrypted_content: SIGNATURE },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: TEXT }] },
      { role: "user", content: "And?" },
    ],
  },
  messages: {
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: THOUGHT, signature: SIGNATURE },
          { type: "text", text: TEXT },
        ],
      },
      { role: "user", content: "And?" },
    ],
  },
};
