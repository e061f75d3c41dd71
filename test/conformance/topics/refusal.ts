import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import { type Asked, cutItem, type Nine, received, refusalItem, routesOf, startUsage, textFrames } from "../pieces.ts";
import { dataFrames, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const usageOf = (kind: UpstreamKind) =>
  kind === "openai-responses" ? { input: 9, output: 4, reasoning: 0 } : { input: 9, output: 4 };
const PIECES = ["I can", "not."] as const;
/** A Messages upstream cuts the answer off, and says why beside it: to the other formats that is a refusal in words. */
const WHY = "It could do harm.";
const DETAILS = `{"type":"refusal","category":"cyber","explanation":"${WHY}"}`;
const isCut = (kind: UpstreamKind): boolean => kind === "anthropic-messages";

function toChat(kind: UpstreamKind) {
  const member = isCut(kind) ? "content" : "refusal";
  const message = isCut(kind) ? `"content":"I cannot.","refusal":"${WHY}"` : '"content":null,"refusal":"I cannot."';
  const why = isCut(kind) ? [`{"refusal":"${WHY}"}`] : [];
  return {
    answer: chatAnswer(kind, { message, finish: "stop", usage: usageOf(kind) }),
    stream: chatStream(kind, [...PIECES.map((piece) => `{"${member}":"${piece}"}`), ...why], "stop"),
  };
}

function toResponses(kind: UpstreamKind) {
  const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
  const { item, events } = isCut(kind)
    ? cutItem({ id, index: 0, status: "incomplete" }, PIECES, WHY)
    : refusalItem(id, PIECES);
  const end = isCut(kind) ? { status: "incomplete", incompleteReason: "content_filter" } : {};
  const response = { output: item, usage: usageOf(kind), ...end };
  return { answer: responsesAnswer(kind, response), stream: responsesStream(kind, response, events) };
}

/** The format has no block for a refusal: it is text, and the reason tells. */
function toMessages(kind: UpstreamKind) {
  const details = isCut(kind) ? { stopDetails: DETAILS } : {};
  const end = { stopReason: "refusal", ...details, usage: usageOf(kind) };
  return {
    answer: messagesAnswer(kind, { content: '{"type":"text","text":"I cannot."}', ...end }),
    stream: messagesStream(kind, end, { startUsage: startUsage(kind), frames: textFrames(0, ...PIECES) }),
  };
}

const CHAT = '"messages":[{"role":"user","content":"Break in"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Break in"}]';
const toAnthropic = {
  upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${CHAT}`),
  answerLosses: ["answer.stop_details.category"],
};

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", ITEMS, ',"store":false') },
    "anthropic-messages": toAnthropic,
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", ITEMS) },
    "anthropic-messages": toAnthropic,
  },
  messages: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64`) },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${ITEMS},"max_output_tokens":64`, ',"store":false'),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":64,${CHAT}`) },
  },
};

/** The model, or a filter in front of it, says no. */
export const refusal: Topic = {
  name: "refusal",
  requests: {
    chat: { messages: [{ role: "user", content: "Break in" }] },
    responses: { input: "Break in" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Break in" }] },
  },
  upstreamAnswers: {
    "openai-chat": {
      streamed: dataFrames(
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}]}',
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"refusal":"I can"},"finish_reason":null}]}',
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"refusal":"not."},"finish_reason":null}]}',
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}',
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"I cannot."},"logprobs":null,"finish_reason":"stop"}],' +
        '"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[]}}',
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
        '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":""}}',
        '{"type":"response.refusal.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"I can"}',
        '{"type":"response.refusal.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"not."}',
        '{"type":"response.refusal.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"refusal":"I cannot."}',
        '{"type":"response.content_part.done","sequence_number":6,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":"I cannot."}}',
        '{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}}',
        '{"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":"response","status":"completed","model":"real-responses","output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":13}}}',
      ),
      whole:
        '{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"real-responses",' +
        '"output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}],' +
        '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":13}}',
    },
    "anthropic-messages": {
      streamed: typedFrames(
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I can"}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"not."}}',
        '{"type":"content_block_stop","index":0}',
        `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":${DETAILS}},"usage":{"output_tokens":4}}`,
        '{"type":"message_stop"}',
      ),
      whole:
        '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[{"type":"text","text":"I cannot."}],' +
        `"stop_reason":"refusal","stop_sequence":null,"stop_details":${DETAILS},` +
        '"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":4}}',
    },
  },
  routes: routesOf(asked, { chat: toChat, responses: toResponses, messages: toMessages }),
};
