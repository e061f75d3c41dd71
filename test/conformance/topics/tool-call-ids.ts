import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

/** 100 characters, with some that Messages does not take. */
const ID = `${"toolu.vrtx:01A2.".repeat(6)}a.b:`;
/**
 * What becomes of it for a format with a limit: the beginning, an underscore, and twelve digits of the identifier's
 * SHA-256. OpenAI takes 40 characters in Chat and 64 in Responses; Messages takes letters, digits, `_` and `-`.
 */
const FOR_CHAT = "toolu.vrtx:01A2.toolu.vrtx:_373d84faa2a7";
const FOR_RESPONSES = "toolu.vrtx:01A2.toolu.vrtx:01A2.toolu.vrtx:01A2.too_373d84faa2a7";
const FOR_MESSAGES = "toolu_vrtx_01A2_toolu_vrtx_01A2_toolu_vrtx_01A2_too_373d84faa2a7";

const conversation: Readonly<Record<UpstreamKind, (id: string) => string>> = {
  "openai-chat": (id) =>
    `${userSays("openai-chat", "Time?")},{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","type":"function",` +
    `"function":{"name":"get_time","arguments":"{}"}}]},{"role":"tool","tool_call_id":"${id}","content":"Noon"}`,
  "openai-responses": (id) =>
    `${userSays("openai-responses", "Time?")},{"type":"function_call","call_id":"${id}","name":"get_time","arguments":"{}"},` +
    `{"type":"function_call_output","call_id":"${id}","output":"Noon"}`,
  "anthropic-messages": (id) =>
    `${userSays("anthropic-messages", "Time?")},{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"get_time",` +
    `"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"Noon"}]}`,
};
const cell = (inbound: Inbound, kind: UpstreamKind, id: string) => ({
  members: requestMembers(inbound, kind, { conversation: conversation[kind](id) }),
});

/**
 * A call and its result under an identifier that another provider made. Callers of an OpenAI format may have a server
 * of that format that takes it; Anthropic never does, so that a Messages caller's is made fit too.
 */
export const toolCallIds: Topic = {
  name: "tool call ids of any length and alphabet",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Time?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: ID, type: "function", function: { name: "get_time", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: ID, content: "Noon" },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "Time?" },
        { type: "function_call", call_id: ID, name: "get_time", arguments: "{}" },
        { type: "function_call_output", call_id: ID, output: "Noon" },
      ],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Time?" },
        { role: "assistant", content: [{ type: "tool_use", id: ID, name: "get_time", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: ID, content: "Noon" }] },
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": cell("chat", "openai-chat", ID),
      "openai-responses": cell("chat", "openai-responses", FOR_RESPONSES),
      "anthropic-messages": cell("chat", "anthropic-messages", FOR_MESSAGES),
    },
    responses: {
      "openai-chat": cell("responses", "openai-chat", FOR_CHAT),
      "openai-responses": cell("responses", "openai-responses", ID),
      "anthropic-messages": cell("responses", "anthropic-messages", FOR_MESSAGES),
    },
    messages: {
      "openai-chat": cell("messages", "openai-chat", FOR_CHAT),
      "openai-responses": cell("messages", "openai-responses", FOR_RESPONSES),
      "anthropic-messages": cell("messages", "anthropic-messages", FOR_MESSAGES),
    },
  }),
};
