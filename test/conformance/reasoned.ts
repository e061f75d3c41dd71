/**
 * The answers of upstreams that reason before they speak, in the words of each kind. Usage: 9 tokens in, 6 out, 4 of
 * them reasoning.
 */
import { dataFrames, typedFrames, type UpstreamAnswer } from "./topic.ts";

/** A Chat upstream's answer of these deltas; `message` are the members of a whole one after its role. */
export function chatUpstream(message: string, deltas: readonly string[]): UpstreamAnswer {
  const usage =
    '{"prompt_tokens":9,"completion_tokens":6,"total_tokens":15,"completion_tokens_details":{"reasoning_tokens":4}}';
  const chunk = (rest: string): string =>
    `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
  const streamed = dataFrames(
    ...['{"role":"assistant","content":""}', ...deltas].map((delta) =>
      chunk(`"choices":[{"index":0,"delta":${delta},"finish_reason":null}]`),
    ),
    chunk('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]'),
    chunk(`"choices":[],"usage":${usage}`),
    "[DONE]",
  );
  const whole =
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
    `"message":{"role":"assistant",${message}},"logprobs":null,"finish_reason":"stop"}],"usage":${usage}}`;
  return { streamed, whole };
}

/**
 * A Responses upstream's answer: a reasoning item `rs_1` with `summary`, encrypted as `blob`, and the message `msg_1`.
 */
export function responsesUpstream(summary: readonly string[], blob: string, text: string): UpstreamAnswer {
  const part = (said: string): string => `{"type":"summary_text","text":"${said}"}`;
  const whole = summary.join("");
  const parts = summary.length === 0 ? "" : part(whole);
  const reasoning = `{"id":"rs_1","type":"reasoning","summary":[${parts}],"encrypted_content":"${blob}"}`;
  const spoken = `{"type":"output_text","text":"${text}","annotations":[]}`;
  const message = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[${spoken}]}`;
  const place = '"item_id":"rs_1","output_index":0,"summary_index":0';
  const head = '"id":"resp_1","object":"response","model":"real-responses"';
  const usage =
    '{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":15}';
  const summaryEvents =
    summary.length === 0
      ? []
      : [
          `"response.reasoning_summary_part.added",${place},"part":${part("")}`,
          ...summary.map((said) => `"response.reasoning_summary_text.delta",${place},"delta":"${said}"`),
          `"response.reasoning_summary_text.done",${place},"text":"${whole}"`,
          `"response.reasoning_summary_part.done",${place},"part":${part(whole)}`,
        ];
  const ended = `{${head},"status":"completed","output":[${reasoning},${message}],"usage":${usage}}`;
  const events = [
    `"response.created","response":{${head},"status":"in_progress","output":[]}`,
    '"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}',
    ...summaryEvents,
    `"response.output_item.done","output_index":0,"item":${reasoning}`,
    '"response.output_item.added","output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}',
    '"response.content_part.added","item_id":"msg_1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}',
    `"response.output_text.delta","item_id":"msg_1","output_index":1,"content_index":0,"delta":"${text}"`,
    `"response.output_text.done","item_id":"msg_1","output_index":1,"content_index":0,"text":"${text}"`,
    `"response.content_part.done","item_id":"msg_1","output_index":1,"content_index":0,"part":${spoken}`,
    `"response.output_item.done","output_index":1,"item":${message}`,
    `"response.completed","response":${ended}`,
  ];
  // The number stands behind the type.
  const streamed = typedFrames(
    ...events.map((event, number) => `{"type":${event.replace(",", `,"sequence_number":${number},`)}}`),
  );
  return { streamed, whole: ended };
}

/** A first block: as it starts, how it grows, and as it stands in a whole answer. */
export interface FirstBlock {
  readonly start: string;
  readonly deltas: readonly string[];
  readonly whole: string;
}

/** A Messages upstream's answer: a first block, and then a text. */
export function messagesUpstream({ start, deltas, whole }: FirstBlock, text: string): UpstreamAnswer {
  const streamed = typedFrames(
    '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
    `{"type":"content_block_start","index":0,"content_block":${start}}`,
    ...deltas.map((delta) => `{"type":"content_block_delta","index":0,"delta":${delta}}`),
    '{"type":"content_block_stop","index":0}',
    '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
    `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"${text}"}}`,
    '{"type":"content_block_stop","index":1}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":6,"output_tokens_details":{"thinking_tokens":4}}}',
    '{"type":"message_stop"}',
  );
  const message =
    '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages",' +
    `"content":[${whole},{"type":"text","text":"${text}"}],"stop_reason":"end_turn","stop_sequence":null,` +
    '"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":6,"output_tokens_details":{"thinking_tokens":4}}}';
  return { streamed, whole: message };
}
