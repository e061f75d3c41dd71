/** Answers that tell of a cache: what upstreams say, and what callers of each format have to read in it. */
import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "./expected.ts";
import { type Asked, type Nine, routesOf, textFrames, textItem } from "./pieces.ts";
import { byKey, dataFrames, type Topic, typedFrames, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** Members of the Response that repeat the request. */
type Echo = Readonly<Record<string, string>>;

/**
 * In every format: 100 tokens of prompt, of which 30 were read from a cache and 20 written to it; 12 tokens of answer,
 * of which 5 were reasoning. Only a Messages upstream says for how long it keeps what it wrote: 8 of the 20 for an
 * hour.
 */
const told = { input: 50, cacheRead: 30, cacheWrite: 20, output: 12, reasoning: 5 };
const usageOf = (kind: UpstreamKind) => (kind === "anthropic-messages" ? { ...told, cacheWrite1h: 8 } : told);

const toChat = (kind: UpstreamKind) => ({
  answer: chatAnswer(kind, { message: '"content":"Yes.","refusal":null', finish: "stop", usage: told }),
  stream: chatStream(kind, ['{"content":"Yes."}'], "stop", told),
});

function toResponses(kind: UpstreamKind, echo: Echo) {
  const { item, events } = textItem({ id: kind === "openai-responses" ? "msg_1" : "msg_<hex>_0", index: 0 }, "Yes.");
  const response = { output: item, usage: told, echo };
  return { answer: responsesAnswer(kind, response), stream: responsesStream(kind, response, events) };
}

function toMessages(kind: UpstreamKind) {
  const end = { stopReason: "end_turn", usage: usageOf(kind) };
  const { reasoning: _later, ...start } = { ...usageOf(kind), output: 1 };
  return {
    answer: messagesAnswer(kind, { content: '{"type":"text","text":"Yes."}', ...end }),
    stream: messagesStream(kind, end, {
      startUsage: kind === "anthropic-messages" ? start : { input: 0, output: 0 },
      frames: textFrames(0, "Yes."),
    }),
  };
}

const STREAMED: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": dataFrames(
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}',
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":null}],"usage":null}',
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}',
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":12,"total_tokens":112,"prompt_tokens_details":{"cached_tokens":30,"cache_write_tokens":20},"completion_tokens_details":{"reasoning_tokens":5}}}',
    "[DONE]",
  ),
  "openai-responses": typedFrames(
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[],"usage":null}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
    '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
    '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Yes."}',
    '{"type":"response.output_text.done","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"text":"Yes."}',
    '{"type":"response.content_part.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Yes.","annotations":[]}}',
    '{"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Yes.","annotations":[]}]}}',
    '{"type":"response.completed","sequence_number":7,"response":{"id":"resp_1","object":"response","status":"completed","model":"real-responses","output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Yes.","annotations":[]}]}],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":30,"cache_write_tokens":20},"output_tokens":12,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":112}}}',
  ),
  "anthropic-messages": typedFrames(
    '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":50,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":12,"ephemeral_1h_input_tokens":8},"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes."}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":12,"output_tokens_details":{"thinking_tokens":5}}}',
    '{"type":"message_stop"}',
  ),
};

const WHOLE: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat":
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,"message":{"role":"assistant","content":"Yes.","refusal":null},"logprobs":null,"finish_reason":"stop"}],' +
    '"usage":{"prompt_tokens":100,"completion_tokens":12,"total_tokens":112,"prompt_tokens_details":{"cached_tokens":30,"cache_write_tokens":20},"completion_tokens_details":{"reasoning_tokens":5}}}',
  "openai-responses":
    '{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"real-responses",' +
    '"output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Yes.","annotations":[],"logprobs":[]}]}],' +
    '"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":30,"cache_write_tokens":20},"output_tokens":12,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":112}}',
  "anthropic-messages":
    '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,' +
    '"usage":{"input_tokens":50,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":12,"ephemeral_1h_input_tokens":8},"output_tokens":12,"output_tokens_details":{"thinking_tokens":5}}}',
};

/** What upstreams answer. */
export const cachedAnswers: Topic["upstreamAnswers"] = byKey(UPSTREAM_KINDS, (kind) => ({
  streamed: STREAMED[kind],
  whole: WHOLE[kind],
}));

/** The OpenAI formats have one number for what is written, whatever its lifetime. */
const ONE_HOUR = { answerLosses: ["answer.usage.cache_creation.ephemeral_1h_input_tokens"] };

/** Completes the routes of a topic whose upstreams answer so; Chat callers have to ask for usage where they stream. */
export function cachedRoutes(asked: Nine<Asked>, echo: Echo = {}): Topic["routes"] {
  const { chat, responses } = asked;
  const losing = {
    ...asked,
    chat: { ...chat, "anthropic-messages": { ...chat["anthropic-messages"], ...ONE_HOUR } },
    responses: { ...responses, "anthropic-messages": { ...responses["anthropic-messages"], ...ONE_HOUR } },
  };
  return routesOf(losing, { chat: toChat, responses: (kind) => toResponses(kind, echo), messages: toMessages });
}

/** What Chat callers add where they stream. */
export const WITH_USAGE = { chat: { stream_options: { include_usage: true } } };
