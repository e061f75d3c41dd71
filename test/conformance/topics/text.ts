import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import { dataFrames, type Route, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const told = { input: 9, output: 2 };
/** Responses and Messages upstreams differ from Chat in what they say of reasoning. */
const usageOf = (kind: UpstreamKind) => (kind === "openai-responses" ? { ...told, reasoning: 0 } : told);

function toChat(kind: UpstreamKind, upstreamReceives: string): Route {
  return {
    upstreamReceives,
    losses: [],
    answer: chatAnswer(kind, { message: '"content":"Hello","refusal":null', finish: "stop", usage: usageOf(kind) }),
    stream: chatStream(kind, ['{"content":"Hel"}', '{"content":"lo"}'], "stop"),
  };
}

function toResponses(kind: UpstreamKind, upstreamReceives: string): Route {
  // An item keeps the id of an upstream that gives one.
  const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
  const item = `{"id":"${id}","type":"message","role":"assistant","status":"completed","content":[${part("Hello")}]}`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const response = { output: item, usage: told };
  return {
    upstreamReceives,
    losses: [],
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      [
        "response.output_item.added",
        `"output_index":0,"item":{"id":"${id}","type":"message","role":"assistant","status":"in_progress","content":[]}`,
      ],
      ["response.content_part.added", `${place},"part":${part("")}`],
      ["response.output_text.delta", `${place},"delta":"Hel","logprobs":[]`],
      ["response.output_text.delta", `${place},"delta":"lo","logprobs":[]`],
      ["response.output_text.done", `${place},"text":"Hello","logprobs":[]`],
      ["response.content_part.done", `${place},"part":${part("Hello")}`],
      ["response.output_item.done", `"output_index":0,"item":${item}`],
    ]),
  };
}

function toMessages(kind: UpstreamKind, upstreamReceives: string): Route {
  const end = { stopReason: "end_turn", usage: usageOf(kind) };
  return {
    upstreamReceives,
    losses: [],
    answer: messagesAnswer(kind, { content: '{"type":"text","text":"Hello","citations":null}', ...end }),
    stream: messagesStream(kind, end, {
      startUsage: kind === "anthropic-messages" ? { input: 9, output: 1 } : { input: 0, output: 0 },
      frames: [
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
        '{"type":"content_block_stop","index":0}',
      ],
    }),
  };
}

/** One question, one answer in two pieces. */
export const text: Topic = {
  name: "text",
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }] },
    responses: { input: "Say hello" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }] },
  },
  upstreamAnswers: {
    "openai-chat": dataFrames(
      '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
      '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}',
      '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}',
      '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
      "[DONE]",
    ),
    "openai-responses": typedFrames(
      '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[]}}',
      '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
      '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
      '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hel"}',
      '{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"lo"}',
      '{"type":"response.output_text.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"text":"Hello"}',
      '{"type":"response.content_part.done","sequence_number":6,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hello","annotations":[]}}',
      '{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello","annotations":[]}]}}',
      '{"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":"response","status":"completed","model":"real-responses","output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello","annotations":[]}]}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}}}',
    ),
    "anthropic-messages": typedFrames(
      '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
      '{"type":"message_stop"}',
    ),
  },
  routes: {
    chat: {
      "openai-chat": toChat(
        "openai-chat",
        '{"model":"real-chat","messages":[{"role":"user","content":"Say hello"}],"stream":true,"stream_options":{"include_usage":true}}',
      ),
      "openai-responses": toChat(
        "openai-responses",
        '{"model":"real-responses","input":[{"type":"message","role":"user","content":"Say hello"}],"stream":true,"store":false}',
      ),
      "anthropic-messages": toChat(
        "anthropic-messages",
        '{"model":"real-messages","max_tokens":4096,"messages":[{"role":"user","content":"Say hello"}],"stream":true}',
      ),
    },
    responses: {
      "openai-chat": toResponses(
        "openai-chat",
        '{"model":"real-chat","messages":[{"role":"user","content":"Say hello"}],"stream":true,"stream_options":{"include_usage":true}}',
      ),
      "openai-responses": toResponses(
        "openai-responses",
        '{"model":"real-responses","input":[{"type":"message","role":"user","content":"Say hello"}],"stream":true}',
      ),
      "anthropic-messages": toResponses(
        "anthropic-messages",
        '{"model":"real-messages","max_tokens":4096,"messages":[{"role":"user","content":"Say hello"}],"stream":true}',
      ),
    },
    messages: {
      "openai-chat": toMessages(
        "openai-chat",
        '{"model":"real-chat","messages":[{"role":"user","content":"Say hello"}],"max_completion_tokens":64,"stream":true,"stream_options":{"include_usage":true}}',
      ),
      "openai-responses": toMessages(
        "openai-responses",
        '{"model":"real-responses","input":[{"type":"message","role":"user","content":"Say hello"}],"max_output_tokens":64,"stream":true,"store":false}',
      ),
      "anthropic-messages": toMessages(
        "anthropic-messages",
        '{"model":"real-messages","max_tokens":64,"messages":[{"role":"user","content":"Say hello"}],"stream":true}',
      ),
    },
  },
};
