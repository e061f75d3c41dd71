import { REASONING_DETAIL } from "../../formats/chat/reasoning-details.ts";
import { CALL } from "../../formats/chat/request/decode-call.ts";
import { MESSAGE } from "../../formats/chat/request/decode-message.ts";
import { FORMAT } from "../../formats/chat/request/decode-options.ts";
import { contentMember, PART } from "../../formats/chat/request/decode-part.ts";
import { REQUEST } from "../../formats/chat/request/decode-request.ts";
import { CHOSEN, TOOL, TOOL_CHOICE } from "../../formats/chat/request/decode-tools.ts";
import { defineSchemas, named } from "../../formats/shared/member.ts";
import { type Members, ref, text } from "../../formats/shared/schema.ts";
import { CALL_HEADERS, type RequestHeader, SERVED_HEADERS } from "../headers.ts";
import type { ApiPart } from "../operation.ts";
import { CHAT_ANSWER } from "./answer.ts";

const CHAT_REQUEST: Members = defineSchemas([
  contentMember([]),
  named("ChatCompletionRequest", REQUEST),
  MESSAGE,
  PART,
  CALL,
  REASONING_DETAIL,
  TOOL,
  CHOSEN,
  TOOL_CHOICE,
  FORMAT,
]);

const MODEL = "attune/claude-haiku-5-5";

const ANSWER = {
  id: "01a21d33-4a24-71da-8554-2d8735ba3c15",
  object: "chat.completion",
  created: 1795786230,
  model: MODEL,
  system_fingerprint: null,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "This is Attune's sandbox, not a model. You said: Hello", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: {
    prompt_tokens: 1,
    completion_tokens: 15,
    total_tokens: 16,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
};

const CHUNK = {
  id: ANSWER.id,
  object: "chat.completion.chunk",
  created: ANSWER.created,
  model: MODEL,
  choices: [{ index: 0, delta: { content: "This" }, logprobs: null, finish_reason: null }],
};

const weather = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};

/** The Chat format. */
export const CHAT: ApiPart = {
  tag: { name: "Chat", description: "The Chat format of OpenAI" },
  schemas: { ...CHAT_REQUEST, ...CHAT_ANSWER },
  operations: [
    {
      method: "post",
      path: "/v1/chat/completions",
      id: "createChatCompletion",
      tag: "Chat",
      summary: "Answer a conversation in the Chat format",
      headers: ["idempotency-key", ...(Object.keys(CALL_HEADERS) as RequestHeader[])],
      body: { schema: ref("ChatCompletionRequest") },
      examples: {
        text: { body: { model: MODEL, messages: [{ role: "user", content: "Hello" }] } },
        tool: {
          body: {
            model: MODEL,
            messages: [{ role: "user", content: "Rain?" }],
            tools: [weather],
            tool_choice: "required",
          },
        },
        stream: {
          body: {
            model: MODEL,
            stream: true,
            stream_options: { include_usage: true },
            messages: [{ role: "user", content: "Hello" }],
          },
        },
      },
      answer: {
        description: "The answer, or its stream",
        headers: [...SERVED_HEADERS, "x-ratelimit-*", "openai-processing-ms"],
        content: {
          "application/json": { schema: ref("ChatCompletion"), example: ANSWER },
          "text/event-stream": {
            schema: text("Events of `ChatCompletionChunk`, then `data: [DONE]`"),
            example: `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`,
            event: ref("ChatCompletionChunk"),
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
