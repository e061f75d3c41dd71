import { chatAnswer, chatStream } from "../expected.ts";
import { upstreamRequest } from "../text-routes.ts";
import { requestMembers, TOOLS, userSays } from "../tool-request.ts";
import type { Route, Topic, UpstreamKind } from "../topic.ts";
import { parallelToolCalls } from "./parallel-tool-calls.ts";

const BERN = '{"city":"Bern"}';
const TEXT = JSON.stringify(BERN);
const asked = (kind: UpstreamKind): string => userSays(kind, "Weather and time?");

/** The request as each upstream receives it: the conversation, and what is said of the tools. */
const TOLD: Readonly<Record<UpstreamKind, readonly [conversation: string, members: readonly string[]]>> = {
  "openai-chat": [
    `${asked("openai-chat")},{"role":"assistant","content":null,"tool_calls":[` +
      `{"id":"call_function_1","type":"function","function":{"name":"get_weather","arguments":${TEXT}}}]},` +
      `{"role":"tool","tool_call_id":"call_function_1","content":"12 degrees"},${userSays("openai-chat", "And now?")}`,
    [
      `"tools":${JSON.stringify(TOOLS.chat)}`,
      '"tool_choice":{"type":"function","function":{"name":"get_weather"}}',
      '"parallel_tool_calls":false',
    ],
  ],
  "openai-responses": [
    `${asked("openai-responses")},` +
      `{"type":"function_call","call_id":"call_function_1","name":"get_weather","arguments":${TEXT}},` +
      '{"type":"function_call_output","call_id":"call_function_1","output":"12 degrees"},' +
      userSays("openai-responses", "And now?"),
    [
      `"tools":${JSON.stringify(TOOLS.responses)}`,
      '"tool_choice":{"type":"function","name":"get_weather"}',
      '"parallel_tool_calls":false',
    ],
  ],
  "anthropic-messages": [
    `${asked("anthropic-messages")},{"role":"assistant","content":[` +
      `{"type":"tool_use","id":"call_function_1","name":"get_weather","input":${BERN}}]},{"role":"user","content":[` +
      '{"type":"tool_result","tool_use_id":"call_function_1","content":"12 degrees"},{"type":"text","text":"And now?"}]}',
    [
      `"tools":${JSON.stringify(TOOLS.messages)}`,
      '"tool_choice":{"type":"tool","name":"get_weather","disable_parallel_tool_use":true}',
    ],
  ],
};

/** One call has room in the older form; what an upstream calls beside it stands in `tool_calls`. */
function toChat(kind: UpstreamKind): Route {
  const [conversation, members] = TOLD[kind];
  const second = (text: string): string =>
    `"id":"call_2","type":"function","function":{"name":"get_time","arguments":${text}}`;
  const zone = JSON.stringify('{"zone":"CET"}');
  const usage = { input: 20, output: 15, ...(kind === "openai-responses" ? { reasoning: 0 } : {}) };
  const grown = (piece: string): string => `{"function_call":{"arguments":${JSON.stringify(piece)}}}`;
  return {
    upstreamReceives: upstreamRequest("chat", kind, requestMembers("chat", kind, { conversation, members })),
    losses: [],
    answer: chatAnswer(kind, {
      message:
        `"content":"Let me look.","refusal":null,"function_call":{"name":"get_weather","arguments":${TEXT}},` +
        `"tool_calls":[{${second(zone)}}]`,
      finish: "function_call",
      usage,
    }),
    stream: chatStream(
      kind,
      [
        '{"content":"Let me look."}',
        '{"function_call":{"name":"get_weather","arguments":""}}',
        grown('{"city":'),
        grown('"Bern"}'),
        `{"tool_calls":[{"index":0,${second('""')}}]}`,
        `{"tool_calls":[{"index":0,"function":{"arguments":${zone}}}]}`,
      ],
      "function_call",
    ),
  };
}

/**
 * The form of tools before `tools`, which Chat alone has: definitions, a choice, a call in the history, and answers.
 */
export const functions: Topic = {
  name: "`functions` and `function_call`",
  absentIn: ["responses", "messages"],
  requests: {
    ...parallelToolCalls.requests,
    chat: {
      messages: [
        { role: "user", content: "Weather and time?" },
        { role: "assistant", content: null, function_call: { name: "get_weather", arguments: BERN } },
        { role: "function", name: "get_weather", content: "12 degrees" },
        { role: "user", content: "And now?" },
      ],
      functions: TOOLS.chat.map((tool) => tool.function),
      function_call: { name: "get_weather" },
    },
  },
  upstreamAnswers: parallelToolCalls.upstreamAnswers,
  routes: {
    ...parallelToolCalls.routes,
    chat: {
      "openai-chat": toChat("openai-chat"),
      "openai-responses": toChat("openai-responses"),
      "anthropic-messages": toChat("anthropic-messages"),
    },
  },
};
