import { dataFrames, type Topic, typedFrames, type UpstreamAnswer } from "./topic.ts";

/** How an answer ends, in the words of a format. */
export interface Ends {
  readonly chat: string;
  /** Why a Response is not complete; undefined if it is. */
  readonly incomplete?: string;
  readonly messages: string;
  readonly stopSequence?: string;
}

/** The model was done. */
export const DONE: Ends = { chat: "stop", messages: "end_turn" };
/** What upstreams answer; each says in its own words how the answer ends. */
export function textAnswers(ends: Ends = DONE): Topic["upstreamAnswers"] {
  const chunk = (delta: string, finish = "null"): string =>
    `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}`;
  const sequence = ends.stopSequence === undefined ? "null" : `"${ends.stopSequence}"`;
  const chat = dataFrames(
    chunk('{"role":"assistant","content":""}'),
    chunk('{"content":"Hel"}'),
    chunk('{"content":"lo"}'),
    chunk("{}", `"${ends.chat}"`),
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
    "[DONE]",
  );
  const messages = typedFrames(
    '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
    '{"type":"content_block_stop","index":0}',
    `{"type":"message_delta","delta":{"stop_reason":"${ends.messages}","stop_sequence":${sequence}},"usage":{"output_tokens":2}}`,
    '{"type":"message_stop"}',
  );
  return {
    "openai-chat": { streamed: chat, whole: wholeCompletion(ends) },
    "openai-responses": responsesAnswers(ends),
    "anthropic-messages": { streamed: messages, whole: wholeMessage(ends) },
  };
}

function wholeCompletion({ chat }: Ends): string {
  return (
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
    `"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"${chat}"}],` +
    '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}'
  );
}

function wholeMessage({ messages, stopSequence }: Ends): string {
  const sequence = stopSequence === undefined ? "null" : `"${stopSequence}"`;
  return (
    '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[{"type":"text","text":"Hello"}],' +
    `"stop_reason":"${messages}","stop_sequence":${sequence},` +
    '"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}}'
  );
}

function responsesAnswers({ incomplete }: Ends): UpstreamAnswer {
  const status = incomplete === undefined ? "completed" : "incomplete";
  const details = incomplete === undefined ? "null" : `{"reason":"${incomplete}"}`;
  const item = `{"id":"msg_1","type":"message","role":"assistant","status":"${status}","content":[{"type":"output_text","text":"Hello","annotations":[]}]}`;
  const usage =
    '{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}';
  const streamed = typedFrames(
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"real-responses","output":[]}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
    '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
    '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hel"}',
    '{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"lo"}',
    '{"type":"response.output_text.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"text":"Hello"}',
    '{"type":"response.content_part.done","sequence_number":6,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hello","annotations":[]}}',
    `{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":${item}}`,
    `{"type":"response.${status}","sequence_number":8,"response":{"id":"resp_1","object":"response","status":"${status}","incomplete_details":${details},"model":"real-responses","output":[${item}],"usage":${usage}}}`,
  );
  const whole =
    `{"id":"resp_1","object":"response","created_at":1,"status":"${status}","error":null,"incomplete_details":${details},` +
    `"model":"real-responses","output":[${item}],"usage":${usage}}`;
  return { streamed, whole };
}
