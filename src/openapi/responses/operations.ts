import { ITEM } from "../../formats/responses/request/decode-item.ts";
import { FORMAT } from "../../formats/responses/request/decode-options.ts";
import { CONTENT, PART } from "../../formats/responses/request/decode-part.ts";
import { REQUEST } from "../../formats/responses/request/decode-request.ts";
import { CHOSEN, TOOL, TOOL_CHOICE } from "../../formats/responses/request/decode-tools.ts";
import { defineSchemas, named } from "../../formats/shared/member.ts";
import { type Members, ref, request, text, withoutMembers } from "../../formats/shared/schema.ts";
import { CALL_HEADERS, ID_HEADERS, type RequestHeader, SERVED_HEADERS } from "../headers.ts";
import type { ApiPart, Content, Link, Operation, Parameter } from "../operation.ts";
import { PAGE } from "../page.ts";
import { RESPONSES_ANSWER } from "./answer.ts";
import { DELTA_EXAMPLE, EXAMPLE_ID, PAGE_EXAMPLE, RESPONSE_EXAMPLE } from "./examples.ts";

const { properties } = REQUEST.schema;

const RESPONSES_REQUEST: Members = {
  ...defineSchemas([CONTENT, named("ResponseRequest", REQUEST)]),
  ResponseCompactRequest: request(
    withoutMembers(properties as Members, ["stream", "background", "conversation", "store"]),
    "A request for a compaction",
    ["model"],
  ),
  ...defineSchemas([ITEM, PART, TOOL, CHOSEN, TOOL_CHOICE, FORMAT]),
};

const MODEL = "attune/gpt-6-astra";

const BASICS = { tag: "Responses", envelopes: ["OpenAiError"] } as const;

const ID: Readonly<Record<string, Parameter>> = { id: { description: "Id of a response", schema: { type: "string" } } };

const WHOLE_OR_STREAM: Readonly<Record<string, Content>> = {
  "application/json": { schema: ref("ResponseObject"), example: RESPONSE_EXAMPLE },
  "text/event-stream": {
    schema: text("Events of `ResponseStreamEvent`"),
    example: `event: ${DELTA_EXAMPLE.type}\ndata: ${JSON.stringify(DELTA_EXAMPLE)}\n\n`,
    event: ref("ResponseStreamEvent"),
  },
};

const WHOLE: Readonly<Record<string, Content>> = {
  "application/json": { schema: ref("ResponseObject"), example: RESPONSE_EXAMPLE },
};

const byId = (operation: string): Link => ({ operation, parameters: { id: "$response.body#/id" } });

const CALLED = Object.keys(CALL_HEADERS) as RequestHeader[];

const weather = {
  type: "function",
  name: "weather",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};

const CREATE: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/responses",
  id: "createResponse",
  summary: "Answer a conversation in the Responses format",
  description: "`GET /v1/responses` with an upgrade to WebSocket takes the same requests as frames.",
  headers: ["idempotency-key", ...CALLED],
  body: { schema: ref("ResponseRequest") },
  examples: {
    text: { body: { model: MODEL, input: "Hello" } },
    tool: { body: { model: MODEL, input: "Rain?", tools: [weather], tool_choice: "required" } },
    background: { body: { model: MODEL, input: "Hello", background: true } },
    stream: { body: { model: MODEL, input: "Hello", stream: true, store: false } },
  },
  answer: {
    description: "The Response, or its stream",
    headers: [...SERVED_HEADERS, "x-ratelimit-*", "openai-processing-ms"],
    content: WHOLE_OR_STREAM,
    links: {
      read: byId("getResponse"),
      input: byId("listResponseInputItems"),
      cancel: byId("cancelResponse"),
      delete: byId("deleteResponse"),
    },
  },
};

const GET: Operation = {
  ...BASICS,
  method: "get",
  path: "/v1/responses/{id}",
  id: "getResponse",
  summary: "Read a stored response",
  parameters: {
    path: ID,
    query: {
      stream: { description: "`true` to stream its events", schema: { type: "boolean" } },
      starting_after: {
        description: "Number of the last event before the stream; ignored without `stream=true`",
        schema: { type: "integer", format: "int32", minimum: 0 },
      },
    },
  },
  examples: { whole: {}, stream: { parameters: { stream: "true", starting_after: "1" } } },
  answer: { description: "The Response, or its stream", headers: SERVED_HEADERS, content: WHOLE_OR_STREAM },
};

const LIST_INPUT: Operation = {
  ...BASICS,
  method: "get",
  path: "/v1/responses/{id}/input_items",
  id: "listResponseInputItems",
  summary: "List the input items of a stored response",
  parameters: { path: ID, query: PAGE },
  examples: { page: { parameters: { limit: "10", order: "asc" } } },
  answer: {
    description: "A page of items",
    headers: ID_HEADERS,
    content: { "application/json": { schema: ref("ResponseItemPage"), example: PAGE_EXAMPLE } },
  },
};

const CANCEL: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/responses/{id}/cancel",
  id: "cancelResponse",
  summary: "Cancel a background response",
  parameters: { path: ID },
  examples: { cancel: {} },
  answer: { description: "The canceled response", headers: [...ID_HEADERS, "attune-inference-id"], content: WHOLE },
};

const DELETE: Operation = {
  ...BASICS,
  method: "delete",
  path: "/v1/responses/{id}",
  id: "deleteResponse",
  summary: "Delete a stored response",
  parameters: { path: ID },
  examples: { delete: {} },
  answer: {
    description: "The response is deleted",
    headers: ID_HEADERS,
    content: {
      "application/json": {
        schema: ref("ResponseDeleted"),
        example: { id: EXAMPLE_ID, object: "response", deleted: true },
      },
    },
  },
};

const COUNT: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/responses/input_tokens",
  id: "countResponseTokens",
  summary: "Count the tokens of a prompt in the Responses format",
  body: { schema: ref("ResponseRequest") },
  examples: { text: { body: { model: MODEL, input: "Hello" } } },
  answer: {
    description: "The tokens of the prompt",
    headers: [...SERVED_HEADERS, "attune-token-count"],
    content: {
      "application/json": {
        schema: ref("ResponseTokenCount"),
        example: { object: "response.input_tokens", input_tokens: 1 },
      },
    },
  },
};

const COMPACT: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/responses/compact",
  id: "compactResponse",
  summary: "Shorten a conversation",
  headers: ["idempotency-key", ...CALLED],
  body: { schema: ref("ResponseCompactRequest") },
  examples: { text: { body: { model: MODEL, input: "Hello" } } },
  answer: {
    description: "The items that replace the conversation",
    headers: SERVED_HEADERS,
    content: {
      "application/json": {
        schema: ref("ResponseCompaction"),
        example: {
          id: "01a21d33-4fa1-75e2-81fb-c1080138640e",
          object: "response.compaction",
          created_at: 1795786231,
          output: [
            { id: "cmp_01a21d334fa175e281fbc1080138640e", type: "compaction", encrypted_content: "att1.WyJz...ZS4=" },
          ],
          usage: RESPONSE_EXAMPLE.usage,
        },
      },
    },
  },
};

/** The Responses format. */
export const RESPONSES: ApiPart = {
  tag: { name: "Responses", description: "The Responses format of OpenAI" },
  schemas: { ...RESPONSES_REQUEST, ...RESPONSES_ANSWER },
  operations: [CREATE, COUNT, COMPACT, GET, DELETE, LIST_INPUT, CANCEL],
};
