import { CLAUDE_CODE_BODY } from "../../conformance/hard-cases/claude-code-body.ts";
import { CODEX_BODY } from "../../conformance/hard-cases/codex-body.ts";
import { EVERY_PARAMETER } from "../../conformance/hard-cases/every-parameter.ts";
import { SANDBOX_MODEL } from "../configuration.ts";

/** A right request of a route, written from the formats' documentation. */
export interface RightRequest {
  readonly path: string;
  readonly body: unknown;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
/** It contains itself, and its pattern takes years for some words. */
const HARD_SCHEMA = {
  type: "object",
  properties: { word: { type: "string", pattern: "^(a+)+!?$" }, more: { $ref: "#" } },
  required: ["word"],
};
const model = SANDBOX_MODEL;

const CHAT_TURNS = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is on the picture?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}`, detail: "low" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=", filename: "a.pdf" } },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: '{"city":"Oslo"}' } }],
  },
  { role: "tool", tool_call_id: "call_1", content: "fine" },
  {
    role: "assistant",
    content: "It is fine.",
    reasoning_content: "I looked.",
    reasoning_details: [{ type: "reasoning.text", text: "I looked.", signature: "c2ln" }],
  },
  { role: "user", name: "ann", content: "And now?" },
];

const RESPONSES_ITEMS = [
  { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
  {
    role: "user",
    content: [
      { type: "input_text", text: "What is on the picture?" },
      { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
      { type: "input_file", file_data: "data:application/pdf;base64,JVBERi0=", filename: "a.pdf" },
    ],
  },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I look." }], encrypted_content: "c2ln" },
  { type: "function_call", call_id: "call_1", name: "look", arguments: '{"city":"Oslo"}' },
  { type: "function_call_output", call_id: "call_1", output: "fine" },
  {
    type: "message",
    role: "assistant",
    id: "msg_1",
    content: [{ type: "output_text", text: "It is fine.", annotations: [] }],
  },
  { role: "user", content: "And now?" },
];

const MESSAGES_TURNS = [
  {
    role: "user",
    content: [
      { type: "text", text: "What is on the picture?", cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "A page." },
        title: "A page",
        citations: { enabled: true },
      },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "I look.", signature: "c2ln" },
      { type: "redacted_thinking", data: "c2ln" },
      { type: "tool_use", id: "toolu_1", name: "look", input: { city: "Oslo" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "fine" }], is_error: false },
    ],
  },
];

const FUNCTION = { name: "look", description: "Looks.", parameters: SCHEMA, strict: true };

/** Right requests of each route that takes a body. */
export const RIGHT_REQUESTS: readonly RightRequest[] = [
  { path: "/v1/chat/completions", body: { model, messages: [{ role: "user", content: "Hello" }] } },
  {
    path: "/v1/chat/completions",
    body: {
      model,
      messages: CHAT_TURNS,
      tools: [{ type: "function", function: FUNCTION }],
      tool_choice: "auto",
      stream: true,
      stream_options: { include_usage: true },
      stop: ["x", "y"],
      seed: 1,
    },
  },
  { path: "/v1/chat/completions", body: { model, ...EVERY_PARAMETER.chat } },
  {
    path: "/v1/chat/completions",
    body: {
      model: `${model}:sandbox-broken-json`,
      messages: [{ role: "user", content: `The word is "${"a".repeat(40)}!"` }],
      response_format: { type: "json_schema", json_schema: { name: "held", schema: HARD_SCHEMA } },
    },
  },
  { path: "/v1/responses", body: { model, input: "Hello", store: false } },
  {
    path: "/v1/responses",
    body: {
      model,
      input: RESPONSES_ITEMS,
      tools: [{ type: "function", ...FUNCTION }],
      tool_choice: { type: "function", name: "look" },
      stream: true,
      include: ["reasoning.encrypted_content"],
    },
  },
  { path: "/v1/responses", body: { model, ...EVERY_PARAMETER.responses } },
  { path: "/v1/responses", body: { model, ...CODEX_BODY } },
  { path: "/v1/messages", body: { model, max_tokens: 64, messages: [{ role: "user", content: "Hello" }] } },
  {
    path: "/v1/messages",
    body: {
      model,
      max_tokens: 64,
      messages: MESSAGES_TURNS,
      tools: [{ name: "look", input_schema: SCHEMA }],
      tool_choice: { type: "auto" },
      stream: true,
      system: "Be brief.",
    },
  },
  { path: "/v1/messages", body: { model, ...EVERY_PARAMETER.messages } },
  { path: "/v1/messages", body: { model, ...CLAUDE_CODE_BODY } },
  {
    path: "/v1/messages/count_tokens",
    body: { model, messages: MESSAGES_TURNS, system: [{ type: "text", text: "Be brief." }] },
  },
  { path: "/v1/responses/input_tokens", body: { model, input: RESPONSES_ITEMS, instructions: "Be brief." } },
  {
    path: "/v1/feedback",
    body: [
      {
        id: "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f",
        feedback: { helpful: true, quality: { tone: 0.5 }, note: "fine", graded: { score: 1, reason: "why" } },
        tags: { page: "help" },
        optimize: "max",
      },
    ],
  },
];
