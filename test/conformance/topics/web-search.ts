import { refusal } from "../refusal.ts";
import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

const IN_PARIS = { type: "approximate", city: "Paris", country: "FR" };
const CHAT_OPTIONS = {
  search_context_size: "low",
  user_location: { type: "approximate", approximate: { city: "Paris", country: "FR" } },
};
const RESPONSES_TOOL = {
  type: "web_search",
  filters: { allowed_domains: ["example.com"] },
  user_location: IN_PARIS,
  search_context_size: "low",
};
const MESSAGES_TOOL = {
  type: "web_search_20250305",
  name: "web_search",
  max_uses: 3,
  blocked_domains: ["example.com"],
  user_location: IN_PARIS,
};

const tools = (tool: object): string => `"tools":[${JSON.stringify(tool)}]`;
const asks = (inbound: Inbound, kind: UpstreamKind, ...members: readonly string[]): string =>
  requestMembers(inbound, kind, { conversation: userSays(kind, "News?"), members });

/** The model of the Chat upstream searches nothing. */
const refused = (inbound: Inbound, type: string) =>
  refusal(inbound, {
    name: "no web search",
    param: "tools[0]",
    message:
      `no tool is left without '${type}', which the provider runs itself and the upstream of this model does not have: ` +
      "choose another model, or define a function",
  });

const echo = { tools: `[${JSON.stringify(RESPONSES_TOOL)}]` };
const messages = [{ role: "user", content: "News?" }];

/** A search that the provider runs is asked for as the other provider has it, with the options that both have. */
export const webSearch: Topic = {
  name: "web search",
  requests: {
    chat: { messages, web_search_options: CHAT_OPTIONS },
    responses: { input: "News?", tools: [RESPONSES_TOOL] },
    messages: { max_tokens: 64, messages, tools: [MESSAGES_TOOL] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": {
        members: asks("chat", "openai-chat"),
        tail: `"web_search_options":${JSON.stringify(CHAT_OPTIONS)}`,
      },
      "openai-responses": {
        members: asks(
          "chat",
          "openai-responses",
          tools({ type: "web_search", user_location: IN_PARIS, search_context_size: "low" }),
        ),
      },
      "anthropic-messages": {
        members: asks(
          "chat",
          "anthropic-messages",
          tools({ type: "web_search_20250305", name: "web_search", user_location: IN_PARIS }),
        ),
        losses: ["web_search_options.search_context_size"],
      },
    },
    responses: {
      "openai-chat": refused("responses", "web_search"),
      "openai-responses": { members: asks("responses", "openai-responses", tools(RESPONSES_TOOL)), echo },
      "anthropic-messages": {
        members: asks(
          "responses",
          "anthropic-messages",
          tools({
            type: "web_search_20250305",
            name: "web_search",
            allowed_domains: ["example.com"],
            user_location: IN_PARIS,
          }),
        ),
        losses: ["tools[0].search_context_size"],
        echo,
      },
    },
    messages: {
      "openai-chat": refused("messages", "web_search_20250305"),
      "openai-responses": {
        members: asks(
          "messages",
          "openai-responses",
          tools({ type: "web_search", user_location: IN_PARIS }),
          '"max_tool_calls":3',
        ),
        tail: '"include":["web_search_call.action.sources"]',
        losses: ["tools[0].blocked_domains"],
      },
      "anthropic-messages": { members: asks("messages", "anthropic-messages", tools(MESSAGES_TOOL)) },
    },
  }),
};
