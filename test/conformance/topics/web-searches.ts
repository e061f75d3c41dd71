import { messagesAnswer, messagesStream, responsesAnswer, responsesStream } from "../expected.ts";
import { textRoutes, upstreamRequest } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import { type Inbound, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const KIND = "openai-responses";
const SEARCH =
  '{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"rain","queries":["rain"],' +
  '"sources":[{"type":"url","url":"https://example.com/rain"}]}}';
const BEGUN = '{"id":"ws_1","type":"web_search_call","status":"in_progress"}';
const AT_SEARCH = '"item_id":"ws_1","output_index":0';
const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
const message = (status: string, content: string): string =>
  `{"id":"msg_1","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
const SAID = message("completed", part("Hello"));
const AT_TEXT = '"item_id":"msg_1","output_index":1,"content_index":0';
const EVENTS: readonly (readonly [type: string, members: string])[] = [
  ["response.output_item.added", `"output_index":0,"item":${BEGUN}`],
  ["response.web_search_call.in_progress", AT_SEARCH],
  ["response.web_search_call.searching", AT_SEARCH],
  ["response.web_search_call.completed", AT_SEARCH],
  ["response.output_item.done", `"output_index":0,"item":${SEARCH}`],
  ["response.output_item.added", `"output_index":1,"item":${message("in_progress", "")}`],
  ["response.content_part.added", `${AT_TEXT},"part":${part("")}`],
  ["response.output_text.delta", `${AT_TEXT},"delta":"Hel","logprobs":[]`],
  ["response.output_text.delta", `${AT_TEXT},"delta":"lo","logprobs":[]`],
  ["response.output_text.done", `${AT_TEXT},"text":"Hello","logprobs":[]`],
  ["response.content_part.done", `${AT_TEXT},"part":${part("Hello")}`],
  ["response.output_item.done", `"output_index":1,"item":${SAID}`],
];
const RESPONSE = '"id":"resp_1","object":"response","model":"real-responses"';
const USAGE =
  '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}';

const requestOf = (inbound: Inbound, kind: UpstreamKind): string =>
  requestMembers(inbound, kind, { conversation: userSays(kind, "Hi") });
const ofText = (inbound: Inbound) => ({
  "openai-chat": { members: requestOf(inbound, "openai-chat") },
  "openai-responses": { members: requestOf(inbound, KIND), answerLosses: ["answer.content[0].web_search_call"] },
  "anthropic-messages": { members: requestOf(inbound, "anthropic-messages") },
});
const texts = textRoutes({ chat: ofText("chat"), responses: ofText("responses"), messages: ofText("messages") });
const upstreamReceives = (inbound: Inbound): string => upstreamRequest(inbound, KIND, requestOf(inbound, KIND));

const usage = { input: 9, output: 2, reasoning: 0 };
const response = { output: `${SEARCH},${SAID}`, usage };
const end = { stopReason: "end_turn", usage };
const call = (input: string): string =>
  `{"type":"server_tool_use","id":"srvtoolu_<hex>_0","name":"web_search","input":${input},"caller":{"type":"direct"}}`;
/** What the other provider does not tell of its pages is empty. */
const RESULT =
  '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_<hex>_0","content":[{"type":"web_search_result",' +
  '"url":"https://example.com/rain","title":"","encrypted_content":"","page_age":null}],"caller":{"type":"direct"}}';
const messages = [{ role: "user", content: "Hi" }];

/** A search that a Responses upstream ran is shown to callers of Messages as that format shows its own. */
export const webSearches: Topic = {
  name: "web searches of a Responses upstream",
  requests: {
    chat: { messages },
    responses: { input: "Hi" },
    messages: { max_tokens: 64, messages },
  },
  upstreamAnswers: {
    ...textAnswers(),
    [KIND]: {
      streamed: typedFrames(
        `{"type":"response.created","sequence_number":0,"response":{${RESPONSE},"status":"in_progress","output":[]}}`,
        ...EVENTS.map(([type, rest], index) => `{"type":"${type}","sequence_number":${index + 1},${rest}}`),
        `{"type":"response.completed","sequence_number":13,"response":{${RESPONSE},"status":"completed","output":[${response.output}],${USAGE}}}`,
      ),
      whole: `{${RESPONSE},"created_at":1,"status":"completed","error":null,"incomplete_details":null,"output":[${response.output}],${USAGE}}`,
    },
  },
  routes: {
    chat: texts.chat,
    responses: {
      ...texts.responses,
      [KIND]: {
        upstreamReceives: upstreamReceives("responses"),
        losses: [],
        answer: responsesAnswer(KIND, response),
        stream: responsesStream(KIND, response, EVENTS),
      },
    },
    messages: {
      ...texts.messages,
      [KIND]: {
        upstreamReceives: upstreamReceives("messages"),
        losses: [],
        answer: messagesAnswer(KIND, {
          content: `${call('{"query":"rain"}')},${RESULT},{"type":"text","text":"Hello"}`,
          ...end,
        }),
        stream: messagesStream(KIND, end, {
          startUsage: { input: 0, output: 0 },
          frames: [
            `{"type":"content_block_start","index":0,"content_block":${call("{}")}}`,
            '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"query\\":\\"rain\\"}"}}',
            '{"type":"content_block_stop","index":0}',
            `{"type":"content_block_start","index":1,"content_block":${RESULT}}`,
            '{"type":"content_block_stop","index":1}',
            '{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}',
            '{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Hel"}}',
            '{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"lo"}}',
            '{"type":"content_block_stop","index":2}',
          ],
        }),
      },
    },
  },
};
