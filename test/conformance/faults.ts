import type { Step } from "../support/scripted-upstream.ts";
import { dataFrames, type Inbound, typedFrames, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** How a failure is told. */
export interface Words {
  readonly message: string;
  /** Status of an answer that is not streamed. */
  readonly status: number;
  /** Type and code in the OpenAI formats. */
  readonly type: string;
  readonly code: string;
  readonly messagesType: string;
  /** Reason in the record. */
  readonly reason: string;
}

/** A way to fail after the answer has begun. */
export interface Fault {
  readonly name: string;
  /** What the upstream does after the beginning of its answer. */
  steps(kind: UpstreamKind): readonly Step[];
  /** Whether it leaves the connection open. */
  readonly hangs?: boolean;
  words(kind: UpstreamKind): Words;
}

/** The beginning of an answer: the text "Hel", and no end of it. */
export const BEGUN: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": dataFrames(
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}',
  ),
  "openai-responses": typedFrames(
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[]}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
    '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
    '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hel"}',
  ),
  "anthropic-messages": typedFrames(
    '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
  ),
};

/** The answer broke off, or is none. */
export const interrupted = (message: string): Words => ({
  message,
  status: 502,
  type: "server_error",
  code: "stream_interrupted",
  messagesType: "api_error",
  reason: "stream_interrupted",
});

/** For so long upstreams may be silent where a test has them stall. */
export const IDLE_MS = 300;

/** Nothing more came for as long, from the upstream of this kind, which has its name. */
export const STALLED = Object.fromEntries(
  UPSTREAM_KINDS.map((kind) => [
    kind,
    {
      message: `the upstream '${kind}' sent nothing more for ${IDLE_MS} ms`,
      status: 504,
      type: "server_error",
      code: "upstream_timeout",
      messagesType: "timeout_error",
      reason: "upstream_timeout",
    },
  ]),
) as Readonly<Record<UpstreamKind, Words>>;

/** The upstream says that it has too much to do. */
export const overloaded: Words = {
  message: "Too much to do",
  status: 503,
  type: "service_unavailable_error",
  code: "server_is_overloaded",
  messagesType: "overloaded_error",
  reason: "upstream_overloaded",
};

/** The stream ended before the answer did. */
export const ENDED: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "the upstream's answer ended before its finish_reason",
  "openai-responses": "the upstream ended its answer before it was complete",
  "anthropic-messages": "the upstream ended its answer before it was complete",
};

const GARBLED: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "the upstream's answer is broken: an event is not JSON",
  "openai-responses": "the upstream sent an event that is not a JSON object",
  "anthropic-messages": "the upstream's answer broke its format: an event is not a JSON object",
};

/** An error inside the stream, in the form that each format has for it. */
const ERROR: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": dataFrames(
    '{"error":{"message":"Too much to do","type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}',
  ),
  "openai-responses": typedFrames(
    '{"type":"error","sequence_number":4,"error":{"type":"service_unavailable_error","code":"server_is_overloaded","message":"Too much to do","param":null}}',
  ),
  "anthropic-messages": typedFrames(
    '{"type":"error","error":{"type":"overloaded_error","message":"Too much to do"},"request_id":"req_1"}',
  ),
};

/** Writes out a failure in the envelope of the caller's format. */
export const FAILURE: Readonly<Record<Inbound, (words: Words) => string>> = {
  chat: (words) => `{"error":${openAiError(words)}}`,
  responses: (words) => `{"error":${openAiError(words)}}`,
  messages: ({ message, messagesType }) =>
    `{"type":"error","error":{"type":"${messagesType}","message":${JSON.stringify(message)}},"request_id":"<request>"}`,
};

/** Error object of the OpenAI formats. */
export function openAiError({ message, type, code }: Words): string {
  return `{"message":${JSON.stringify(message)},"type":"${type}","param":null,"code":"${code}"}`;
}

/** The ways to fail. */
export const FAULTS: readonly Fault[] = [
  { name: "dies", steps: () => ["die"], words: () => interrupted("the upstream interrupted its answer") },
  {
    name: "stalls",
    steps: () => [],
    hangs: true,
    words: (kind) => STALLED[kind],
  },
  { name: "ends too early", steps: () => [], words: (kind) => interrupted(ENDED[kind]) },
  {
    name: "says that it failed",
    steps: (kind) => [ERROR[kind]],
    words: () => overloaded,
  },
  {
    name: "sends what is no JSON",
    steps: () => ['data: {"type":"content_block_de\n\n'],
    words: (kind) => interrupted(GARBLED[kind]),
  },
];
