import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import { textRoutes, upstreamRequest } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import { dataFrames, type Inbound, type Route, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const CITATION = '"start_index":0,"end_index":5,"url":"https://example.com/rain","title":"Rain"';
const CITED: Readonly<Record<"chat" | "responses", string>> = {
  chat: `{"type":"url_citation","url_citation":{${CITATION}}}`,
  responses: `{"type":"url_citation",${CITATION}}`,
};
/** An annotation of a type that Responses alone has. */
const PATH = '{"type":"file_path","file_id":"file_1","index":0}';

const usageOf = (kind: UpstreamKind) => ({
  input: 9,
  output: 2,
  ...(kind === "openai-responses" ? { reasoning: 0 } : {}),
});
const received = (inbound: Inbound, kind: UpstreamKind): string =>
  upstreamRequest(inbound, kind, requestMembers(inbound, kind, { conversation: userSays(kind, "Hi") }));

/** A citation of Messages, whose excerpt and index no other format has. */
const FOUND =
  '{"type":"web_search_result_location","cited_text":"It may rain.","url":"https://example.com/rain","title":"Rain","encrypted_index":"Eo8B"}';
const SEALED = ["cited_text", "encrypted_index"].map((member) => `answer.content[0].annotations.${member}`);
/** An annotation of another type is named: Chat has none of them. */
const lostPath = (kind: UpstreamKind) =>
  kind === "openai-responses" ? { answerLosses: ["answer.content[0].annotations"] } : lostIndex(kind);
const lostIndex = (kind: UpstreamKind) => (kind === "anthropic-messages" ? { answerLosses: SEALED } : {});

function toChat(kind: UpstreamKind): Route {
  return {
    upstreamReceives: received("chat", kind),
    losses: [],
    ...lostPath(kind),
    answer: chatAnswer(kind, {
      message: `"content":"Hello","refusal":null,"annotations":[${CITED.chat}]`,
      finish: "stop",
      usage: usageOf(kind),
    }),
    stream: chatStream(kind, ['{"content":"Hel"}', '{"content":"lo"}', `{"annotations":[${CITED.chat}]}`], "stop"),
  };
}

function toResponses(kind: UpstreamKind): Route {
  const isOwn = kind === "openai-responses";
  const id = isOwn ? "msg_1" : "msg_<hex>_0";
  const annotations = isOwn ? [PATH, CITED.responses] : [CITED.responses];
  const part = (text: string, list: readonly string[]): string =>
    `{"type":"output_text","text":"${text}","annotations":[${list.join(",")}],"logprobs":[]}`;
  const item = (status: string, content: string): string =>
    `{"id":"${id}","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const whole = part("Hello", annotations);
  const response = { output: item("completed", whole), usage: usageOf(kind) };
  return {
    upstreamReceives: received("responses", kind),
    losses: [],
    ...lostIndex(kind),
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      ["response.output_item.added", `"output_index":0,"item":${item("in_progress", "")}`],
      ["response.content_part.added", `${place},"part":${part("", [])}`],
      ["response.output_text.delta", `${place},"delta":"Hel","logprobs":[]`],
      ["response.output_text.delta", `${place},"delta":"lo","logprobs":[]`],
      ...annotations.map(
        (annotation, index) =>
          [
            "response.output_text.annotation.added",
            `${place},"annotation_index":${index},"annotation":${annotation}`,
          ] as const,
      ),
      ["response.output_text.done", `${place},"text":"Hello","logprobs":[]`],
      ["response.content_part.done", `${place},"part":${whole}`],
      ["response.output_item.done", `"output_index":0,"item":${response.output}`],
    ]),
  };
}

const chunk = (rest: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
const delta = (members: string, finish = "null"): string =>
  chunk(`"choices":[{"index":0,"delta":{${members}},"finish_reason":${finish}}]`);
const PART = `{"type":"output_text","text":"Hello","annotations":[${PATH},${CITED.responses}]}`;
const ITEM = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[${PART}]}`;
const PLACE = '"item_id":"msg_1","output_index":0,"content_index":0';
const RESPONSE = '"id":"resp_1","object":"response","model":"real-responses"';
const USAGE =
  '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}';
const messages = [{ role: "user", content: "Hi" }];
const plain = (inbound: Inbound, kind: UpstreamKind) => ({
  members: requestMembers(inbound, kind, { conversation: userSays(kind, "Hi") }),
});
const answerLosses = ["answer.content[0].annotations"];
const texts = textRoutes({
  chat: {
    "openai-chat": { members: "" },
    "openai-responses": { members: "" },
    "anthropic-messages": { members: "" },
  },
  responses: {
    "openai-chat": { members: "" },
    "openai-responses": { members: "" },
    "anthropic-messages": { members: "" },
  },
  messages: {
    "openai-chat": { ...plain("messages", "openai-chat"), answerLosses },
    "openai-responses": { ...plain("messages", "openai-responses"), answerLosses },
    "anthropic-messages": { members: "" },
  },
});

/** The citation comes before the end of the text that it is of. */
const BLOCK = [
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":[]}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
  `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":${FOUND}}}`,
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
  '{"type":"content_block_stop","index":0}',
];
const MESSAGE = '"id":"msg_1","type":"message","role":"assistant","model":"real-messages"';

function toMessages(): Route {
  const kind = "anthropic-messages";
  const end = { stopReason: "end_turn", usage: { input: 9, output: 2 } };
  return {
    upstreamReceives: received("messages", kind),
    losses: [],
    answer: messagesAnswer(kind, { content: `{"type":"text","text":"Hello","citations":[${FOUND}]}`, ...end }),
    stream: messagesStream(kind, end, { startUsage: { input: 9, output: 1 }, frames: BLOCK }),
  };
}

/** Citations of pages in answers, beside an annotation that Responses alone has. */
export const urlCitations: Topic = {
  name: "url citations",
  requests: {
    chat: { messages },
    responses: { input: "Hi" },
    messages: { max_tokens: 64, messages },
  },
  upstreamAnswers: {
    ...textAnswers(),
    "anthropic-messages": {
      streamed: typedFrames(
        `{"type":"message_start","message":{${MESSAGE},"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}`,
        ...BLOCK,
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
        '{"type":"message_stop"}',
      ),
      whole:
        `{${MESSAGE},"content":[{"type":"text","text":"Hello","citations":[${FOUND}]}],"stop_reason":"end_turn",` +
        '"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":2}}',
    },
    "openai-chat": {
      streamed: dataFrames(
        delta('"role":"assistant","content":""'),
        delta('"content":"Hel"'),
        delta('"content":"lo"'),
        delta(`"annotations":[${CITED.chat}]`),
        delta("", '"stop"'),
        chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}'),
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
        `"message":{"role":"assistant","content":"Hello","refusal":null,"annotations":[${CITED.chat}]},"logprobs":null,` +
        '"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        `{"type":"response.created","sequence_number":0,"response":{${RESPONSE},"status":"in_progress","output":[]}}`,
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
        `{"type":"response.content_part.added","sequence_number":2,${PLACE},"part":{"type":"output_text","text":"","annotations":[]}}`,
        `{"type":"response.output_text.delta","sequence_number":3,${PLACE},"delta":"Hel"}`,
        `{"type":"response.output_text.delta","sequence_number":4,${PLACE},"delta":"lo"}`,
        `{"type":"response.output_text.annotation.added","sequence_number":5,${PLACE},"annotation_index":0,"annotation":${PATH}}`,
        `{"type":"response.output_text.annotation.added","sequence_number":6,${PLACE},"annotation_index":1,"annotation":${CITED.responses}}`,
        `{"type":"response.output_text.done","sequence_number":7,${PLACE},"text":"Hello"}`,
        `{"type":"response.content_part.done","sequence_number":8,${PLACE},"part":${PART}}`,
        `{"type":"response.output_item.done","sequence_number":9,"output_index":0,"item":${ITEM}}`,
        `{"type":"response.completed","sequence_number":10,"response":{${RESPONSE},"status":"completed","output":[${ITEM}],${USAGE}}}`,
      ),
      whole: `{${RESPONSE},"created_at":1,"status":"completed","error":null,"incomplete_details":null,"output":[${ITEM}],${USAGE}}`,
    },
  },
  routes: {
    chat: {
      "openai-chat": toChat("openai-chat"),
      "openai-responses": toChat("openai-responses"),
      "anthropic-messages": toChat("anthropic-messages"),
    },
    responses: {
      "openai-chat": toResponses("openai-chat"),
      "openai-responses": toResponses("openai-responses"),
      "anthropic-messages": toResponses("anthropic-messages"),
    },
    messages: { ...texts.messages, "anthropic-messages": toMessages() },
  },
};
