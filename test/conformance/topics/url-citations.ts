import { chatAnswer, chatStream, responsesAnswer, responsesStream } from "../expected.ts";
import { textRoutes, upstreamRequest } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import { dataFrames, type Inbound, type Route, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

type OpenAiKind = Exclude<UpstreamKind, "anthropic-messages">;

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

/** An annotation of another type is named: Chat has none of them. */
const lostPath = (kind: OpenAiKind) =>
  kind === "openai-responses" ? { answerLosses: ["answer.content[0].annotations"] } : {};

function toChat(kind: OpenAiKind): Route {
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

function toResponses(kind: OpenAiKind): Route {
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
    "anthropic-messages": plain("chat", "anthropic-messages"),
  },
  responses: {
    "openai-chat": { members: "" },
    "openai-responses": { members: "" },
    "anthropic-messages": plain("responses", "anthropic-messages"),
  },
  messages: {
    "openai-chat": { ...plain("messages", "openai-chat"), answerLosses },
    "openai-responses": { ...plain("messages", "openai-responses"), answerLosses },
    "anthropic-messages": plain("messages", "anthropic-messages"),
  },
});

/** Citations of pages in answers of the OpenAI formats, beside an annotation that one of them alone has. */
export const urlCitations: Topic = {
  name: "url citations",
  requests: {
    chat: { messages },
    responses: { input: "Hi" },
    messages: { max_tokens: 64, messages },
  },
  upstreamAnswers: {
    ...textAnswers(),
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
    chat: { ...texts.chat, "openai-chat": toChat("openai-chat"), "openai-responses": toChat("openai-responses") },
    responses: {
      ...texts.responses,
      "openai-chat": toResponses("openai-chat"),
      "openai-responses": toResponses("openai-responses"),
    },
    messages: texts.messages,
  },
};
