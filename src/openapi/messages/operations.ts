import { BLOCK, contentMember, DOCUMENT_SOURCE } from "../../formats/messages/request/decode-block.ts";
import { MESSAGE, THREAD } from "../../formats/messages/request/decode-messages.ts";
import { FORMAT, THINKING } from "../../formats/messages/request/decode-output-config.ts";
import { COUNT_REQUEST, REQUEST } from "../../formats/messages/request/decode-request.ts";
import { IMAGE_SOURCE } from "../../formats/messages/request/decode-source.ts";
import { TOOL, TOOL_CHOICE } from "../../formats/messages/request/decode-tools.ts";
import { defineSchemas, named } from "../../formats/shared/member.ts";
import { type Members, ref, text } from "../../formats/shared/schema.ts";
import { CALL_HEADERS, type RequestHeader, SERVED_HEADERS } from "../headers.ts";
import type { ApiPart, Operation } from "../operation.ts";
import { MESSAGES_ANSWER } from "./answer.ts";

const MESSAGES_REQUEST: Members = defineSchemas([
  contentMember("user"),
  named("MessageRequest", REQUEST),
  named("MessageCountRequest", COUNT_REQUEST),
  MESSAGE,
  BLOCK,
  TOOL,
  TOOL_CHOICE,
  THINKING,
  FORMAT,
  THREAD,
  DOCUMENT_SOURCE,
  IMAGE_SOURCE,
]);

const MODEL = "attune/claude-haiku-5-5";

const ANSWER = {
  id: "01a21d33-4fbe-7375-bffd-9508bde983ca",
  type: "message",
  role: "assistant",
  model: MODEL,
  content: [{ type: "text", text: "This is Attune's sandbox, not a model. You said: Hello" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: {
    input_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 15,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: null,
    service_tier: null,
    speed: null,
    inference_geo: null,
  },
};

const DELTA = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "This" } };

const messages = [{ role: "user", content: "Hello" }];
const weather = { name: "weather", input_schema: { type: "object", properties: { city: { type: "string" } } } };
const VERSIONS: readonly RequestHeader[] = ["anthropic-version", "anthropic-beta"];

const CREATE: Operation = {
  method: "post",
  path: "/v1/messages",
  id: "createMessage",
  tag: "Messages",
  summary: "Answer a conversation in the Messages format",
  headers: [...VERSIONS, "idempotency-key", ...(Object.keys(CALL_HEADERS) as RequestHeader[])],
  body: { schema: ref("MessageRequest") },
  examples: {
    text: { body: { model: MODEL, max_tokens: 64, messages } },
    tool: { body: { model: MODEL, max_tokens: 64, messages, tools: [weather], tool_choice: { type: "any" } } },
    stream: { body: { model: MODEL, max_tokens: 64, stream: true, messages } },
  },
  answer: {
    description: "The answer, or its stream",
    headers: [...SERVED_HEADERS, "anthropic-ratelimit-*"],
    content: {
      "application/json": { schema: ref("MessageAnswer"), example: ANSWER },
      "text/event-stream": {
        schema: text("Events of `MessageStreamEvent`"),
        example: `event: content_block_delta\ndata: ${JSON.stringify(DELTA)}\n\n`,
        event: ref("MessageStreamEvent"),
      },
    },
  },
  envelopes: ["MessagesError"],
};

const COUNT: Operation = {
  method: "post",
  path: "/v1/messages/count_tokens",
  id: "countMessageTokens",
  tag: "Messages",
  summary: "Count the tokens of a prompt in the Messages format",
  headers: VERSIONS,
  body: { schema: ref("MessageCountRequest") },
  examples: { text: { body: { model: MODEL, messages } } },
  answer: {
    description: "The tokens of the prompt",
    headers: [...SERVED_HEADERS, "attune-token-count"],
    content: { "application/json": { schema: ref("MessageTokenCount"), example: { input_tokens: 1 } } },
  },
  envelopes: ["MessagesError"],
};

/** The Messages format. */
export const MESSAGES: ApiPart = {
  tag: { name: "Messages", description: "The Messages format of Anthropic" },
  schemas: { ...MESSAGES_REQUEST, ...MESSAGES_ANSWER },
  operations: [CREATE, COUNT],
};
