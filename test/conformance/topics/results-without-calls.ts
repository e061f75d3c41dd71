import { refusal } from "../refusal.ts";
import { textAnswers } from "../text-upstream.ts";
import { byKey, type Topic, UPSTREAM_KINDS } from "../topic.ts";

const name = "a result without its call";
const everywhere = (...told: Parameters<typeof refusal>) => byKey(UPSTREAM_KINDS, () => refusal(...told));

/** A result of a tool that answers no call: each format has its own words, whatever the upstream would say. */
export const resultsWithoutCalls: Topic = {
  name: "results that answer no call",
  requests: {
    chat: { messages: [{ role: "tool", tool_call_id: "call_1", content: "Noon" }] },
    responses: { input: [{ type: "function_call_output", call_id: "call_1", output: "Noon" }] },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Noon" }] }],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: {
    chat: everywhere("chat", {
      name,
      param: "messages[0].tool_call_id",
      message: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    }),
    responses: everywhere("responses", {
      name,
      param: "input[0].call_id",
      message: "No tool call found for function call output with call_id call_1.",
    }),
    messages: everywhere("messages", {
      name,
      param: "messages[0].content[0].tool_use_id",
      message:
        "no tool_use block of the previous assistant message has the id 'call_1'; each tool_result must answer one",
    }),
  },
};
