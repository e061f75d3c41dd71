import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import type { ResponsesEvent } from "../pieces.ts";
import { upstreamRequest } from "../text-routes.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import {
  dataFrames,
  type Inbound,
  type Refused,
  type Route,
  type Topic,
  typedFrames,
  type UpstreamKind,
} from "../topic.ts";
import { CUSTOM_AS_FUNCTION, CUSTOM_TOOL, SERVER_TOOL } from "./custom-tools.ts";

type OpenAiKind = Exclude<UpstreamKind, "anthropic-messages">;

const TOLD: Readonly<Record<UpstreamKind, readonly string[]>> = {
  "openai-chat": [`"tools":[${JSON.stringify(CUSTOM_TOOL.chat)}]`],
  "openai-responses": [`"tools":[${JSON.stringify(CUSTOM_TOOL.responses)}]`],
  "anthropic-messages": [],
};
/** The upstream gets a function, and its answer is held until the call is whole. */
const isFunction = (inbound: Inbound, kind: UpstreamKind): boolean =>
  kind === "anthropic-messages" || (kind === "openai-chat" && inbound === "responses");
const toldTo = (inbound: Inbound, kind: UpstreamKind): readonly string[] => {
  if (!isFunction(inbound, kind) || inbound === "messages") return TOLD[kind];
  return [`"tools":[${JSON.stringify(CUSTOM_AS_FUNCTION[kind === "openai-chat" ? "chat" : "messages"])}]`];
};
const receives = (inbound: Inbound, kind: UpstreamKind, members = toldTo(inbound, kind)): string =>
  upstreamRequest(inbound, kind, requestMembers(inbound, kind, { conversation: userSays(kind, "1+2?"), members }));
const usageOf = (kind: UpstreamKind) => ({
  input: 9,
  output: 5,
  ...(kind === "openai-responses" ? { reasoning: 0 } : {}),
});
const echo = { tools: `[${JSON.stringify(CUSTOM_TOOL.responses)}]` };

function callToChat(kind: OpenAiKind): Route {
  const call = (input: string): string => `"id":"call_1","type":"custom","custom":{"name":"calc","input":"${input}"}`;
  const grown = (piece: string): string => `{"tool_calls":[{"index":0,"custom":{"input":"${piece}"}}]}`;
  return {
    upstreamReceives: receives("chat", kind),
    losses: [],
    answer: chatAnswer(kind, {
      message: `"content":null,"refusal":null,"tool_calls":[{${call("1+2")}}]`,
      finish: "tool_calls",
      usage: usageOf(kind),
    }),
    stream: chatStream(kind, [`{"tool_calls":[{"index":0,${call("")}}]}`, grown("1+"), grown("2")], "tool_calls"),
  };
}

function callToResponses(kind: OpenAiKind): Route {
  const id = kind === "openai-responses" ? "ctc_1" : "ctc_<hex>_0";
  const item = (input: string, status: string): string =>
    `{"id":"${id}","type":"custom_tool_call","call_id":"call_1","name":"calc","input":"${input}","status":"${status}"}`;
  const place = `"item_id":"${id}","output_index":0`;
  const response = { output: item("1+2", "completed"), usage: usageOf(kind), echo };
  return {
    upstreamReceives: receives("responses", kind),
    losses: kind === "openai-chat" ? ["tools[0].format"] : [],
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      ["response.output_item.added", `"output_index":0,"item":${item("", "in_progress")}`],
      ...(kind === "openai-chat" ? ["1+2"] : ["1+", "2"]).map(
        (piece): ResponsesEvent => ["response.custom_tool_call_input.delta", `${place},"delta":"${piece}"`],
      ),
      ["response.custom_tool_call_input.done", `${place},"input":"1+2"`],
      ["response.output_item.done", `"output_index":0,"item":${item("1+2", "completed")}`],
    ]),
  };
}

const KIND = "anthropic-messages";
const RESULT =
  '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://example.com",' +
  '"title":"Rain","encrypted_content":"e30="}]}';
const search = (input: string): string =>
  `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":${input}}`;
/** A server tool's call and its result, as both Anthropic and Attune send them. */
const searched: readonly string[] = [
  `{"type":"content_block_start","index":0,"content_block":${search("{}")}}`,
  '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"query\\":"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\\"news\\"}"}}',
  '{"type":"content_block_stop","index":0}',
  `{"type":"content_block_start","index":1,"content_block":${RESULT}}`,
  '{"type":"content_block_stop","index":1}',
];
const rain: readonly string[] = [
  '{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Rain."}}',
  '{"type":"content_block_stop","index":2}',
];
const end = { stopReason: "end_turn", usage: usageOf(KIND) };
const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
const message = (status: string, content: string): string =>
  `{"id":"msg_<hex>_1","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
const place = '"item_id":"msg_<hex>_1","output_index":1,"content_index":0';
/** The search as Responses tells one; its pages are not asked for. */
const ran =
  '{"id":"ws_<hex>_0","type":"web_search_call","status":"completed","action":{"type":"search","query":"news","queries":["news"]}}';
const ofSearch = '"item_id":"ws_<hex>_0","output_index":0';
const said = message("completed", part("Rain."));
const spoken = { output: `${ran},${said}`, usage: usageOf(KIND), echo };

/** A choice that demands a call, of which only Anthropic knows the tool. */
const refused: Refused = {
  refused: {
    status: 400,
    body:
      '{"type":"error","error":{"type":"invalid_request_error","message":"tool_choice: requires a call, but the upstream ' +
      'supports none of the tools: define one as a function"},"request_id":"<request>"}',
    name: "a forced call of a server tool",
  },
};

const calc = (input: string, status: string): string =>
  `{"id":"ctc_1","type":"custom_tool_call","call_id":"call_1","name":"calc","input":"${input}","status":"${status}"}`;
const chunk = (rest: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
const delta = (members: string, finish = "null"): string =>
  chunk(`"choices":[{"index":0,"delta":{${members}},"finish_reason":${finish}}]`);
const messages = [{ role: "user", content: "1+2?" }];

/**
 * Calls of a custom tool come as such in both OpenAI formats. What Anthropic's own tools did is shown to who speaks its
 * format, and a web search as an item of Responses; others get the words.
 */
export const customToolCalls: Topic = {
  name: "calls of custom tools; of a server tool of Messages",
  requests: {
    chat: { messages, tools: [CUSTOM_TOOL.chat] },
    responses: { input: "1+2?", tools: [CUSTOM_TOOL.responses] },
    messages: { max_tokens: 64, messages, tools: [SERVER_TOOL], tool_choice: { type: "any" } },
  },
  upstreamAnswers: {
    "openai-chat": {
      streamed: dataFrames(
        delta('"role":"assistant","content":null'),
        delta('"tool_calls":[{"index":0,"id":"call_1","type":"custom","custom":{"name":"calc","input":""}}]'),
        delta('"tool_calls":[{"index":0,"custom":{"input":"1+"}}]'),
        delta('"tool_calls":[{"index":0,"custom":{"input":"2"}}]'),
        delta("", '"tool_calls"'),
        chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}'),
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
        '"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"call_1","type":"custom","custom":{"name":"calc","input":"1+2"}}]},' +
        '"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","model":"real-responses","status":"in_progress","output":[]}}',
        `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${calc("", "in_progress")}}`,
        '{"type":"response.custom_tool_call_input.delta","sequence_number":2,"item_id":"ctc_1","output_index":0,"delta":"1+"}',
        '{"type":"response.custom_tool_call_input.delta","sequence_number":3,"item_id":"ctc_1","output_index":0,"delta":"2"}',
        '{"type":"response.custom_tool_call_input.done","sequence_number":4,"item_id":"ctc_1","output_index":0,"input":"1+2"}',
        `{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":${calc("1+2", "completed")}}`,
        `{"type":"response.completed","sequence_number":6,"response":{"id":"resp_1","object":"response","model":"real-responses","status":"completed","output":[${calc("1+2", "completed")}],` +
          '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":14}}}',
      ),
      whole:
        '{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"real-responses",' +
        `"output":[${calc("1+2", "completed")}],` +
        '"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":14}}',
    },
    "anthropic-messages": {
      streamed: typedFrames(
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
        ...searched,
        '{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}',
        ...rain,
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}',
        '{"type":"message_stop"}',
      ),
      whole:
        '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages",' +
        `"content":[${search('{"query":"news"}')},${RESULT},{"type":"text","text":"Rain."}],"stop_reason":"end_turn","stop_sequence":null,` +
        '"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":5}}',
    },
  },
  routes: {
    chat: {
      "openai-chat": callToChat("openai-chat"),
      "openai-responses": callToChat("openai-responses"),
      "anthropic-messages": {
        upstreamReceives: receives("chat", KIND),
        losses: ["tools[0].custom.format"],
        answerLosses: ["answer.content[0].server_tool_use", "answer.content[1].web_search_tool_result"],
        answer: chatAnswer(KIND, { message: '"content":"Rain.","refusal":null', finish: "stop", usage: usageOf(KIND) }),
        stream: chatStream(KIND, ['{"content":"Rain."}'], "stop"),
      },
    },
    responses: {
      "openai-chat": callToResponses("openai-chat"),
      "openai-responses": callToResponses("openai-responses"),
      "anthropic-messages": {
        upstreamReceives: receives("responses", KIND),
        losses: ["tools[0].format"],
        answerLosses: ["title", "encrypted_content"].map((name) => `answer.content[1].web_search_tool_result.${name}`),
        answer: responsesAnswer(KIND, spoken),
        stream: responsesStream(KIND, spoken, [
          [
            "response.output_item.added",
            '"output_index":0,"item":{"id":"ws_<hex>_0","type":"web_search_call","status":"in_progress"}',
          ],
          ["response.web_search_call.in_progress", ofSearch],
          ["response.web_search_call.searching", ofSearch],
          ["response.web_search_call.completed", ofSearch],
          ["response.output_item.done", `"output_index":0,"item":${ran}`],
          ["response.output_item.added", `"output_index":1,"item":${message("in_progress", "")}`],
          ["response.content_part.added", `${place},"part":${part("")}`],
          ["response.output_text.delta", `${place},"delta":"Rain.","logprobs":[]`],
          ["response.output_text.done", `${place},"text":"Rain.","logprobs":[]`],
          ["response.content_part.done", `${place},"part":${part("Rain.")}`],
          ["response.output_item.done", `"output_index":1,"item":${said}`],
        ]),
      },
    },
    messages: {
      "openai-chat": refused,
      "openai-responses": refused,
      "anthropic-messages": {
        upstreamReceives: receives("messages", KIND, [
          `"tools":[${JSON.stringify(SERVER_TOOL)}]`,
          '"tool_choice":{"type":"any"}',
        ]),
        losses: [],
        answer: messagesAnswer(KIND, {
          content: `${search('{"query":"news"}')},${RESULT},{"type":"text","text":"Rain."}`,
          ...end,
        }),
        stream: messagesStream(KIND, end, {
          startUsage: { input: 9, output: 1 },
          frames: [
            ...searched,
            '{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}',
            ...rain,
          ],
        }),
      },
    },
  },
};
