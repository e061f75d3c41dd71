import type Anthropic from "@anthropic-ai/sdk";
import { SIGNATURE, TEXT, THOUGHT } from "../../support/upstream-frames.ts";

/** How a conversation begins in the tests of Messages. */
export const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Hello" }];
export const system = "Be brief.";
export const inputSchema = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
export const tools: Anthropic.Tool[] = [
  { name: "get_weather", description: "Tells the weather.", input_schema: inputSchema },
];

/** Form of a structured answer. */
export const citySchema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
} as const;

/** What each upstream is asked when a structured answer is wanted. */
export const STRUCTURED = {
  chat: { response_format: { type: "json_schema", json_schema: { name: "response", schema: citySchema } } },
  responses: { text: { format: { type: "json_schema", name: "response", schema: citySchema } } },
  messages: { output_config: { format: { type: "json_schema", schema: citySchema } } },
};

/** What each upstream receives after the tools have answered. */
export const LOOP = {
  chat: {
    messages: [
      { role: "system", content: system },
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_oslo", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
          { id: "call_rome", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_oslo", content: 'fine in {"city":"Oslo"}' },
      { role: "tool", tool_call_id: "call_rome", content: 'fine in {"city":"Rome"}' },
      { role: "user", content: "So?" },
    ],
    // What every server takes of which nothing is known; OpenAI alone has its newer name.
    max_tokens: 1024,
    tools: [{ type: "function", function: { name: "get_weather", parameters: inputSchema } }],
  },
  responses: {
    instructions: system,
    max_output_tokens: 1024,
    store: false,
    input: [
      { role: "user", content: "Hello" },
      { type: "function_call", call_id: "call_oslo", name: "get_weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "call_rome", name: "get_weather", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "call_oslo", output: 'fine in {"city":"Oslo"}' },
      { type: "function_call_output", call_id: "call_rome", output: 'fine in {"city":"Rome"}' },
      { role: "user", content: "So?" },
    ],
    tools: [{ type: "function", name: "get_weather", parameters: inputSchema, strict: false }],
  },
  messages: {
    system,
    max_tokens: 1024,
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
          { type: "text", text: "So?" },
        ],
      },
    ],
    tools,
  },
};

/** How each upstream gets its own reasoning back. */
export const THOUGHT_BACK = {
  chat: {
    messages: [
      { role: "user", content: "Hello" },
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
