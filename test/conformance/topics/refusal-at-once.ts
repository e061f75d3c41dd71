import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import { type Asked, type Nine, received, refusalItem, routesOf, startUsage, textFrames } from "../pieces.ts";
import { dataFrames, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const WHY = "That could do harm.";
const usageOf = (kind: UpstreamKind) =>
  kind === "openai-responses" ? { input: 9, output: 4, reasoning: 0 } : { input: 9, output: 4 };
/** A Messages upstream says nothing but why; the others say it piece by piece. */
const isSilent = (kind: UpstreamKind): boolean => kind === "anthropic-messages";

function toChat(kind: UpstreamKind) {
  const deltas = isSilent(kind) ? [`{"refusal":"${WHY}"}`] : ['{"refusal":"That could"}', '{"refusal":" do harm."}'];
  return {
    answer: chatAnswer(kind, { message: `"content":null,"refusal":"${WHY}"`, finish: "stop", usage: usageOf(kind) }),
    stream: chatStream(kind, deltas, "stop"),
  };
}

function toResponses(kind: UpstreamKind) {
  const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
  const { item, events } = refusalItem(id, isSilent(kind) ? [WHY] : ["That could", " do harm."]);
  const response = { output: item, usage: usageOf(kind) };
  return { answer: responsesAnswer(kind, response), stream: responsesStream(kind, response, events) };
}

function toMessages(kind: UpstreamKind) {
  const details = isSilent(kind) ? { stopDetails: `{"type":"refusal","category":null,"explanation":"${WHY}"}` } : {};
  const end = { stopReason: "refusal", ...details, usage: usageOf(kind) };
  const content = isSilent(kind) ? "" : `{"type":"text","text":"${WHY}"}`;
  const frames = isSilent(kind) ? [] : textFrames(0, "That could", " do harm.");
  return {
    answer: messagesAnswer(kind, { content, ...end }),
    stream: messagesStream(kind, end, { startUsage: startUsage(kind), frames }),
  };
}

const CHAT = '"messages":[{"role":"user","content":"Break in"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Break in"}]';
const toAnthropic = { upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${CHAT}`) };

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

const chunk = (rest: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
const delta = (members: string, finish = "null"): string =>
  chunk(`"choices":[{"index":0,"delta":{${members}},"finish_reason":${finish}}]`);
const PART = `{"type":"refusal","refusal":"${WHY}"}`;
const MESSAGE = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[${PART}]}`;

/** The model refuses before it says anything else. */
export const refusalAtOnce: Topic = {
  name: "refusal before any other word",
  requests: {
    chat: { messages: [{ role: "user", content: "Break in" }] },
    responses: { input: "Break in" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Break in" }] },
  },
  upstreamAnswers: {
    "openai-chat": {
      streamed: dataFrames(
        delta('"role":"assistant","content":"","refusal":null'),
        delta('"refusal":"That could"'),
        delta('"refusal":" do harm."'),
        delta("", '"stop"'),
        chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}'),
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
        `"message":{"role":"assistant","content":null,"refusal":"${WHY}"},"logprobs":null,"finish_reason":"stop"}],` +
        '"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[]}}',
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
        '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":""}}',
        '{"type":"response.refusal.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"That could"}',
        '{"type":"response.refusal.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" do harm."}',
        `{"type":"response.refusal.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"refusal":"${WHY}"}`,
        `{"type":"response.content_part.done","sequence_number":6,"item_id":"msg_1","output_index":0,"content_index":0,"part":${PART}}`,
        `{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":${MESSAGE}}`,
        `{"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":"response","status":"completed","model":"real-responses","output":[${MESSAGE}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":13}}}`,
      ),
      whole:
        '{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"real-responses",' +
        `"output":[${MESSAGE}],` +
        '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":13}}',
    },
    "anthropic-messages": {
      streamed: typedFrames(
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
        `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":"${WHY}"}},"usage":{"output_tokens":4}}`,
        '{"type":"message_stop"}',
      ),
      whole:
        '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":"refusal","stop_sequence":null,' +
        `"stop_details":{"type":"refusal","category":null,"explanation":"${WHY}"},` +
        '"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":4}}',
    },
  },
  routes: routesOf(asked, { chat: toChat, responses: toResponses, messages: toMessages }),
};
