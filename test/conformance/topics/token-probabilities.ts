import { chatAnswer, responsesAnswer, responsesStream } from "../expected.ts";
import { textRoutes, upstreamRequest } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import { dataFrames, type Inbound, type Route, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

type OpenAiKind = Exclude<UpstreamKind, "anthropic-messages">;

const ASKED: Readonly<Record<UpstreamKind, readonly string[]>> = {
  "openai-chat": ['"logprobs":true', '"top_logprobs":1'],
  "openai-responses": ['"top_logprobs":1'],
  "anthropic-messages": [],
};
const INCLUDE = ',"include":["message.output_text.logprobs"]}';

/** Only part of a character, as tokens of rare ones are: its bytes tell which. */
const HALF = [240, 159];
const top = (token: string, logprob: string, bytes: readonly number[]): string =>
  `{"token":"${token}","logprob":${logprob},"bytes":[${bytes.join(",")}]}`;
const token = (text: string, logprob: string, bytes: readonly number[]): string =>
  `{"token":"${text}","logprob":${logprob},"bytes":[${bytes.join(",")}],"top_logprobs":[${top(text, logprob, bytes)}]}`;
const [FIRST, SECOND] = [token("Hel", "-0.5", [72, 101, 108]), token("lo", "-9999", HALF)];
const usageOf = (kind: UpstreamKind) => ({
  input: 9,
  output: 2,
  ...(kind === "openai-responses" ? { reasoning: 0 } : {}),
});

const received = (inbound: Inbound, kind: OpenAiKind): string => {
  const members = requestMembers(inbound, kind, { conversation: userSays(kind, "Hi"), options: ASKED[kind] });
  const request = upstreamRequest(inbound, kind, members);
  return kind === "openai-chat" ? request : `${request.slice(0, -1)}${INCLUDE}`;
};

function toChat(kind: OpenAiKind): Route {
  const head = `{"id":"<id>","object":"chat.completion.chunk","created":<created>,"model":"attune/${kind}","choices":[`;
  const chunk = (delta: string, logprobs: string, finish = "null"): string =>
    `${head}{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]}`;
  const of = (list: string): string => `{"content":[${list}],"refusal":null}`;
  const message = '"content":"Hello","refusal":null';
  const answer = chatAnswer(kind, { message, finish: "stop", usage: usageOf(kind) });
  return {
    upstreamReceives: received("chat", kind),
    losses: [],
    answer: answer.replace('"logprobs":null', `"logprobs":${of(`${FIRST},${SECOND}`)}`),
    stream: dataFrames(
      chunk('{"role":"assistant","content":"","refusal":null}', "null"),
      chunk('{"content":"Hel"}', of(FIRST)),
      chunk('{"content":"lo"}', of(SECOND)),
      chunk("{}", "null", '"stop"'),
      "[DONE]",
    ),
  };
}

function toResponses(kind: OpenAiKind): Route {
  const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
  const part = (text: string, tokens: string): string =>
    `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[${tokens}]}`;
  const whole = part("Hello", `${FIRST},${SECOND}`);
  const item = (status: string, content: string): string =>
    `{"id":"${id}","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const response = { output: item("completed", whole), usage: usageOf(kind), echo: { top_logprobs: "1" } };
  return {
    upstreamReceives: received("responses", kind),
    losses: [],
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      ["response.output_item.added", `"output_index":0,"item":${item("in_progress", "")}`],
      ["response.content_part.added", `${place},"part":${part("", "")}`],
      ["response.output_text.delta", `${place},"delta":"Hel","logprobs":[${FIRST}]`],
      ["response.output_text.delta", `${place},"delta":"lo","logprobs":[${SECOND}]`],
      ["response.output_text.done", `${place},"text":"Hello","logprobs":[${FIRST},${SECOND}]`],
      ["response.content_part.done", `${place},"part":${whole}`],
      ["response.output_item.done", `"output_index":0,"item":${response.output}`],
    ]),
  };
}

const chunk = (rest: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
const delta = (members: string, logprobs: string, finish = "null"): string =>
  chunk(`"choices":[{"index":0,"delta":{${members}},"logprobs":${logprobs},"finish_reason":${finish}}]`);
const ofChat = (list: string): string => `{"content":[${list}],"refusal":null}`;
const PART = `{"type":"output_text","text":"Hello","annotations":[],"logprobs":[${FIRST},${SECOND}]}`;
const ITEM = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[${PART}]}`;
const PLACE = '"item_id":"msg_1","output_index":0,"content_index":0';
const RESPONSE = '"id":"resp_1","object":"response","model":"real-responses"';
const USAGE =
  '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}';
const messages = [{ role: "user", content: "Hi" }];
const text = textAnswers();
const anthropic = (inbound: Inbound) => ({
  members: requestMembers(inbound, "anthropic-messages", { conversation: userSays("anthropic-messages", "Hi") }),
});
const losses = { chat: ["logprobs", "top_logprobs"], responses: ["include", "top_logprobs"] };
const lost = textRoutes({
  chat: {
    "openai-chat": { members: "" },
    "openai-responses": { members: "" },
    "anthropic-messages": { ...anthropic("chat"), losses: losses.chat },
  },
  responses: {
    "openai-chat": { members: "" },
    "openai-responses": { members: "" },
    "anthropic-messages": { ...anthropic("responses"), losses: losses.responses, echo: { top_logprobs: "1" } },
  },
  messages: {
    "openai-chat": { members: `"messages":[${userSays("openai-chat", "Hi")}],"max_tokens":64` },
    "openai-responses": { members: `"input":[${userSays("openai-responses", "Hi")}],"max_output_tokens":64` },
    "anthropic-messages": anthropic("messages"),
  },
});

/** Both OpenAI formats tell how likely tokens were to who asks; a Messages caller is not told without asking. */
export const tokenProbabilities: Topic = {
  name: "probabilities of tokens",
  requests: {
    chat: { messages, logprobs: true, top_logprobs: 1 },
    responses: { input: "Hi", include: ["message.output_text.logprobs"], top_logprobs: 1 },
    messages: { max_tokens: 64, messages },
  },
  upstreamAnswers: {
    ...text,
    "openai-chat": {
      streamed: dataFrames(
        delta('"role":"assistant","content":""', "null"),
        delta('"content":"Hel"', ofChat(FIRST)),
        delta('"content":"lo"', ofChat(SECOND)),
        delta("", "null", '"stop"'),
        chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}'),
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
        `"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":${ofChat(`${FIRST},${SECOND}`)},` +
        '"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        `{"type":"response.created","sequence_number":0,"response":{${RESPONSE},"status":"in_progress","output":[]}}`,
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
        `{"type":"response.content_part.added","sequence_number":2,${PLACE},"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}`,
        `{"type":"response.output_text.delta","sequence_number":3,${PLACE},"delta":"Hel","logprobs":[${FIRST}]}`,
        `{"type":"response.output_text.delta","sequence_number":4,${PLACE},"delta":"lo","logprobs":[${SECOND}]}`,
        `{"type":"response.output_text.done","sequence_number":5,${PLACE},"text":"Hello","logprobs":[${FIRST},${SECOND}]}`,
        `{"type":"response.content_part.done","sequence_number":6,${PLACE},"part":${PART}}`,
        `{"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":${ITEM}}`,
        `{"type":"response.completed","sequence_number":8,"response":{${RESPONSE},"status":"completed","output":[${ITEM}],${USAGE}}}`,
      ),
      whole: `{${RESPONSE},"created_at":1,"status":"completed","error":null,"incomplete_details":null,"output":[${ITEM}],${USAGE}}`,
    },
  },
  routes: {
    chat: { ...lost.chat, "openai-chat": toChat("openai-chat"), "openai-responses": toChat("openai-responses") },
    responses: {
      ...lost.responses,
      "openai-chat": toResponses("openai-chat"),
      "openai-responses": toResponses("openai-responses"),
    },
    messages: withLoss(lost.messages),
  },
};

/** The OpenAI upstreams of this topic tell probabilities in any case, which Messages cannot say. */
function withLoss(routes: Topic["routes"]["messages"]): Topic["routes"]["messages"] {
  const told = (route: Route): Route =>
    "refused" in route ? route : { ...route, answerLosses: ["answer.content[0].logprobs"] };
  return {
    ...routes,
    "openai-chat": told(routes["openai-chat"]),
    "openai-responses": told(routes["openai-responses"]),
  };
}
