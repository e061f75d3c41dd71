import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';

const answers = textAnswers();
/** A Response repeats the request with every default, as its documentation shows; the other topics leave that away. */
const wholeResponse =
  '{"id":"resp_1","object":"response","created_at":1,"completed_at":2,"status":"completed","background":false,"error":null,"incomplete_details":null,' +
  '"instructions":null,"max_output_tokens":null,"max_tool_calls":null,"model":"real-responses","output":[{"id":"msg_1","type":"message",' +
  '"status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hello"}]}],' +
  '"parallel_tool_calls":true,"previous_response_id":null,"prompt_cache_key":null,"reasoning":{"effort":null,"summary":null},' +
  '"safety_identifier":null,"service_tier":"default","store":true,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],' +
  '"top_logprobs":0,"top_p":1.0,"truncation":"disabled","usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,' +
  '"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11},"user":null,"metadata":{}}';

/** One question, one answer in two pieces. */
export const text: Topic = {
  name: "text",
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }] },
    responses: { input: "Say hello" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }] },
  },
  upstreamAnswers: { ...answers, "openai-responses": { ...answers["openai-responses"], whole: wholeResponse } },
  routes: textRoutes({
    chat: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    responses: {
      "openai-chat": { members: messages },
      "openai-responses": { members: input },
      "anthropic-messages": { members: `"max_tokens":4096,${messages}` },
    },
    messages: {
      "openai-chat": { members: `${messages},"max_tokens":64` },
      "openai-responses": { members: `${input},"max_output_tokens":64` },
      "anthropic-messages": { members: `"max_tokens":64,${messages}` },
    },
  }),
};
