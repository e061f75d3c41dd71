import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import { upstreamRequest } from "../text-routes.ts";
import { FORMAT, requestMembers, TOOLS, userSays } from "../tool-request.ts";
import { dataFrames, type Inbound, type Route, type Topic, typedFrames, type UpstreamKind } from "../topic.ts";

const question = "Weather and time?";
const WORDS = "Let me look.";
/** Arguments of the calls, whole and in the pieces in which they come. */
const BERN = '"{\\"city\\":\\"Bern\\"}"';
const BERN_PIECES = ['"{\\"city\\":"', '"\\"Bern\\"}"'];
const CET = '"{\\"zone\\":\\"CET\\"}"';

/** Identifiers of the two calls. */
type Ids = readonly [string, string];

const receives = (inbound: Inbound, kind: UpstreamKind): string => {
  const members = [`"tools":${JSON.stringify(TOOLS[FORMAT[kind]])}`];
  const request = requestMembers(inbound, kind, { conversation: userSays(kind, question), members });
  return upstreamRequest(inbound, kind, request);
};
const usageOf = (kind: UpstreamKind) => ({
  input: 20,
  output: 15,
  ...(kind === "openai-responses" ? { reasoning: 0 } : {}),
});

function toChat(kind: UpstreamKind, [first, second]: Ids): Route {
  const call = (id: string, name: string, text: string): string =>
    `"id":"${id}","type":"function","function":{"name":"${name}","arguments":${text}}`;
  const calls = `{${call(first, "get_weather", BERN)}},{${call(second, "get_time", CET)}}`;
  const grown = (index: number, text: string): string =>
    `{"tool_calls":[{"index":${index},"function":{"arguments":${text}}}]}`;
  return {
    upstreamReceives: receives("chat", kind),
    losses: [],
    answer: chatAnswer(kind, {
      message: `"content":"${WORDS}","refusal":null,"tool_calls":[${calls}]`,
      finish: "tool_calls",
      usage: usageOf(kind),
    }),
    stream: chatStream(
      kind,
      [
        `{"content":"${WORDS}"}`,
        `{"tool_calls":[{"index":0,${call(first, "get_weather", '""')}}]}`,
        ...BERN_PIECES.map((piece) => grown(0, piece)),
        `{"tool_calls":[{"index":1,${call(second, "get_time", '""')}}]}`,
        grown(1, CET),
      ],
      "tool_calls",
    ),
  };
}

function toResponses(kind: UpstreamKind, [first, second]: Ids): Route {
  // Items keep the ids of an upstream that gives them; others are numbered as they stand.
  const itemIds = kind === "openai-responses" ? ["msg_1", "fc_1", "fc_2"] : ["msg_<hex>_0", "fc_<hex>_1", "fc_<hex>_2"];
  const [messageId, firstId, secondId] = itemIds;
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
  const message = (status: string, content: string): string =>
    `{"id":"${messageId}","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
  const weather = (text: string, status: string): string =>
    `{"id":"${firstId}","type":"function_call","call_id":"${first}","name":"get_weather","arguments":${text},"status":"${status}"}`;
  const time = (text: string, status: string): string =>
    `{"id":"${secondId}","type":"function_call","call_id":"${second}","name":"get_time","arguments":${text},"status":"${status}"}`;
  const spoken = message("completed", part(WORDS));
  const [bern, cet] = [weather(BERN, "completed"), time(CET, "completed")];
  const place = `"item_id":"${messageId}","output_index":0,"content_index":0`;
  const response = {
    output: `${spoken},${bern},${cet}`,
    usage: usageOf(kind),
    echo: { tools: JSON.stringify(TOOLS.responses) },
  };
  return {
    upstreamReceives: receives("responses", kind),
    losses: [],
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      ["response.output_item.added", `"output_index":0,"item":${message("in_progress", "")}`],
      ["response.content_part.added", `${place},"part":${part("")}`],
      ["response.output_text.delta", `${place},"delta":"${WORDS}","logprobs":[]`],
      ["response.output_text.done", `${place},"text":"${WORDS}","logprobs":[]`],
      ["response.content_part.done", `${place},"part":${part(WORDS)}`],
      ["response.output_item.done", `"output_index":0,"item":${spoken}`],
      ["response.output_item.added", `"output_index":1,"item":${weather('""', "in_progress")}`],
      ...BERN_PIECES.map(
        (piece) =>
          [
            "response.function_call_arguments.delta",
            `"item_id":"${firstId}","output_index":1,"delta":${piece}`,
          ] as const,
      ),
      [
        "response.function_call_arguments.done",
        `"item_id":"${firstId}","output_index":1,"name":"get_weather","arguments":${BERN}`,
      ],
      ["response.output_item.done", `"output_index":1,"item":${bern}`],
      ["response.output_item.added", `"output_index":2,"item":${time('""', "in_progress")}`],
      ["response.function_call_arguments.delta", `"item_id":"${secondId}","output_index":2,"delta":${CET}`],
      [
        "response.function_call_arguments.done",
        `"item_id":"${secondId}","output_index":2,"name":"get_time","arguments":${CET}`,
      ],
      ["response.output_item.done", `"output_index":2,"item":${cet}`],
    ]),
  };
}

function toMessages(kind: UpstreamKind, [first, second]: Ids): Route {
  const call = (id: string, name: string, input: string): string =>
    `{"type":"tool_use","id":"${id}","name":"${name}","input":${input},"caller":{"type":"direct"}}`;
  const start = (index: number, block: string): string =>
    `{"type":"content_block_start","index":${index},"content_block":${block}}`;
  const grown = (index: number, text: string): string =>
    `{"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":${text}}}`;
  const stop = (index: number): string => `{"type":"content_block_stop","index":${index}}`;
  const end = { stopReason: "tool_use", usage: usageOf(kind) };
  const content =
    `{"type":"text","text":"${WORDS}"},` +
    `${call(first, "get_weather", '{"city":"Bern"}')},${call(second, "get_time", '{"zone":"CET"}')}`;
  return {
    upstreamReceives: receives("messages", kind),
    losses: [],
    answer: messagesAnswer(kind, { content, ...end }),
    stream: messagesStream(kind, end, {
      startUsage: kind === "anthropic-messages" ? { input: 20, output: 1 } : { input: 0, output: 0 },
      frames: [
        start(0, '{"type":"text","text":""}'),
        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${WORDS}"}}`,
        stop(0),
        start(1, call(first, "get_weather", "{}")),
        ...BERN_PIECES.map((piece) => grown(1, piece)),
        stop(1),
        start(2, call(second, "get_time", "{}")),
        grown(2, CET),
        stop(2),
      ],
    }),
  };
}

function upstreamAnswers([first, second]: Ids): Topic["upstreamAnswers"] {
  const chunk = (rest: string): string =>
    `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat",${rest}}`;
  const delta = (members: string, finish = "null"): string =>
    chunk(`"choices":[{"index":0,"delta":{${members}},"finish_reason":${finish}}]`);
  const begun = (index: number, id: string, name: string): string =>
    delta(
      `"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"${name}","arguments":""}}]`,
    );
  const grown = (index: number, text: string): string =>
    delta(`"tool_calls":[{"index":${index},"function":{"arguments":${text}}}]`);
  const spoken = (status: string, content: string): string =>
    `{"id":"msg_1","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[]}`;
  const weather = (text: string, status: string): string =>
    `{"id":"fc_1","type":"function_call","call_id":"${first}","name":"get_weather","arguments":${text},"status":"${status}"}`;
  const time = (text: string, status: string): string =>
    `{"id":"fc_2","type":"function_call","call_id":"${second}","name":"get_time","arguments":${text},"status":"${status}"}`;
  const output = `${spoken("completed", part(WORDS))},${weather(BERN, "completed")},${time(CET, "completed")}`;
  const response = '"id":"resp_1","object":"response","model":"real-responses"';
  const place = '"item_id":"msg_1","output_index":0,"content_index":0';
  const use = (index: number, id: string, name: string): string =>
    `{"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"${id}","name":"${name}","input":{}}}`;
  const input = (index: number, text: string): string =>
    `{"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":${text}}}`;
  return {
    "openai-chat": {
      streamed: dataFrames(
        delta('"role":"assistant","content":""'),
        delta(`"content":"${WORDS}"`),
        begun(0, first, "get_weather"),
        ...BERN_PIECES.map((piece) => grown(0, piece)),
        begun(1, second, "get_time"),
        grown(1, CET),
        delta("", '"tool_calls"'),
        chunk('"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":15,"total_tokens":35}'),
        "[DONE]",
      ),
      whole:
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,' +
        `"message":{"role":"assistant","content":"${WORDS}","refusal":null,"tool_calls":[` +
        `{"id":"${first}","type":"function","function":{"name":"get_weather","arguments":${BERN}}},` +
        `{"id":"${second}","type":"function","function":{"name":"get_time","arguments":${CET}}}]},` +
        '"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":20,"completion_tokens":15,"total_tokens":35}}',
    },
    "openai-responses": {
      streamed: typedFrames(
        `{"type":"response.created","sequence_number":0,"response":{${response},"status":"in_progress","output":[]}}`,
        `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${spoken("in_progress", "")}}`,
        `{"type":"response.content_part.added","sequence_number":2,${place},"part":${part("")}}`,
        `{"type":"response.output_text.delta","sequence_number":3,${place},"delta":"${WORDS}"}`,
        `{"type":"response.output_text.done","sequence_number":4,${place},"text":"${WORDS}"}`,
        `{"type":"response.content_part.done","sequence_number":5,${place},"part":${part(WORDS)}}`,
        `{"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":${spoken("completed", part(WORDS))}}`,
        `{"type":"response.output_item.added","sequence_number":7,"output_index":1,"item":${weather('""', "in_progress")}}`,
        ...BERN_PIECES.map(
          (piece, index) =>
            `{"type":"response.function_call_arguments.delta","sequence_number":${8 + index},"item_id":"fc_1","output_index":1,"delta":${piece}}`,
        ),
        `{"type":"response.function_call_arguments.done","sequence_number":10,"item_id":"fc_1","output_index":1,"arguments":${BERN}}`,
        `{"type":"response.output_item.done","sequence_number":11,"output_index":1,"item":${weather(BERN, "completed")}}`,
        `{"type":"response.output_item.added","sequence_number":12,"output_index":2,"item":${time('""', "in_progress")}}`,
        `{"type":"response.function_call_arguments.delta","sequence_number":13,"item_id":"fc_2","output_index":2,"delta":${CET}}`,
        `{"type":"response.function_call_arguments.done","sequence_number":14,"item_id":"fc_2","output_index":2,"arguments":${CET}}`,
        `{"type":"response.output_item.done","sequence_number":15,"output_index":2,"item":${time(CET, "completed")}}`,
        `{"type":"response.completed","sequence_number":16,"response":{${response},"status":"completed","output":[${output}],` +
          '"usage":{"input_tokens":20,"input_tokens_details":{"cached_tokens":0},"output_tokens":15,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":35}}}',
      ),
      whole:
        `{${response},"created_at":1,"status":"completed","error":null,"incomplete_details":null,"output":[${output}],` +
        '"usage":{"input_tokens":20,"input_tokens_details":{"cached_tokens":0},"output_tokens":15,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":35}}',
    },
    "anthropic-messages": {
      streamed: typedFrames(
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${WORDS}"}}`,
        '{"type":"content_block_stop","index":0}',
        use(1, first, "get_weather"),
        // Anthropic begins with an empty piece.
        input(1, '""'),
        ...BERN_PIECES.map((piece) => input(1, piece)),
        '{"type":"content_block_stop","index":1}',
        use(2, second, "get_time"),
        input(2, CET),
        '{"type":"content_block_stop","index":2}',
        '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":15}}',
        '{"type":"message_stop"}',
      ),
      whole:
        '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages",' +
        `"content":[{"type":"text","text":"${WORDS}"},` +
        `{"type":"tool_use","id":"${first}","name":"get_weather","input":{"city":"Bern"}},` +
        `{"type":"tool_use","id":"${second}","name":"get_time","input":{"zone":"CET"}}],"stop_reason":"tool_use","stop_sequence":null,` +
        '"usage":{"input_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":15}}',
    },
  };
}

function callsTopic(name: string, ids: Ids): Topic {
  const messages = [{ role: "user", content: question }];
  const nine = (to: (kind: UpstreamKind, ids: Ids) => Route) => ({
    "openai-chat": to("openai-chat", ids),
    "openai-responses": to("openai-responses", ids),
    "anthropic-messages": to("anthropic-messages", ids),
  });
  return {
    name,
    requests: {
      chat: { messages, tools: TOOLS.chat },
      responses: { input: question, tools: TOOLS.responses },
      messages: { max_tokens: 64, messages, tools: TOOLS.messages },
    },
    upstreamAnswers: upstreamAnswers(ids),
    routes: { chat: nine(toChat), responses: nine(toResponses), messages: nine(toMessages) },
  };
}

/** Text, and then two calls at once. */
export const parallelToolCalls = callsTopic("parallel tool calls", ["call_1", "call_2"]);

/**
 * The caller gets an identifier as the upstream made it, whatever its length and alphabet: it comes back with the
 * result.
 */
export const answeredToolCallIds = callsTopic("tool call ids of any length and alphabet, in answers", [
  `${"toolu.vrtx:01A2.".repeat(6)}a.b:`,
  "functions.get_time:1",
]);
