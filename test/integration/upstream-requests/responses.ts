import type OpenAI from "openai";
import { SIGNATURE, TEXT, THOUGHT } from "../../support/upstream-frames.ts";

/** How a conversation begins in the tests of Responses. */
export const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Hello" }];
export const instructions = "Be brief.";

export const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
export const tools: OpenAI.Responses.FunctionTool[] = [
  { type: "function", name: "get_weather", description: "Tells the weather.", parameters, strict: true },
];

/** The readable part of reasoning. */
export const SUMMARY = [{ type: "summary_text", text: THOUGHT }];

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
      { role: "system", content: instructions },
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
    ],
    tools: [{ type: "function", function: { name: "get_weather", parameters, strict: true } }],
  },
  responses: {
    instructions,
    input: [
      { role: "user", content: "Hello" },
      { type: "function_call", id: "fc_1", call_id: "call_oslo", arguments: '{"city":"Oslo"}' },
      { type: "function_call", id: "fc_2", call_id: "call_rome", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "call_oslo", output: 'fine in {"city":"Oslo"}' },
      { type: "function_call_output", call_id: "call_rome", output: 'fine in {"city":"Rome"}' },
    ],
    tools,
  },
  messages: {
    system: instructions,
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
    tools: [{ name: "get_weather", description: "Tells the weather.", input_schema: parameters, strict: true }],
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
    store: false,
    input: [
      { role: "user" },
      { type: "reasoning", id: "rs_up", summary: SUMMARY, encrypted_content: SIGNATURE },
      { type: "message", id: "msg_up", role: "assistant", content: [{ type: "output_text", text: TEXT }] },
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
