import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import type { Inbound, Topic, UpstreamKind } from "../topic.ts";

const question = "Say hello in JSON";
const ask = (inbound: Inbound, kind: UpstreamKind, ...options: readonly string[]): string =>
  requestMembers(inbound, kind, { conversation: userSays(kind, question), options });
const messages = [{ role: "user", content: question }];
const echo = { text: '{"format":{"type":"json_object"}}' };

/** Messages has no such format as far as is known; what its upstream makes of it, the upstream says. */
const unknown = (kind: UpstreamKind) => ({
  members: ask("messages", kind),
  losses: ["output_config.format"],
});

/** An answer in JSON of any form, which Messages cannot be asked for. */
export const jsonObject: Topic = {
  name: "JSON object",
  requests: {
    chat: { messages, response_format: { type: "json_object" } },
    responses: { input: question, text: { format: { type: "json_object" } } },
    messages: { max_tokens: 64, messages, output_config: { format: { type: "json_object" } } },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: ask("chat", "openai-chat", '"response_format":{"type":"json_object"}') },
      "openai-responses": { members: ask("chat", "openai-responses", '"text":{"format":{"type":"json_object"}}') },
      "anthropic-messages": { members: ask("chat", "anthropic-messages"), losses: ["response_format"] },
    },
    responses: {
      "openai-chat": { members: ask("responses", "openai-chat", '"response_format":{"type":"json_object"}'), echo },
      "openai-responses": {
        members: ask("responses", "openai-responses", '"text":{"format":{"type":"json_object"}}'),
        echo,
      },
      "anthropic-messages": { members: ask("responses", "anthropic-messages"), losses: ["text.format"], echo },
    },
    messages: {
      "openai-chat": unknown("openai-chat"),
      "openai-responses": unknown("openai-responses"),
      "anthropic-messages": {
        members: ask("messages", "anthropic-messages"),
        tail: '"output_config":{"format":{"type":"json_object"}}',
      },
    },
  }),
};
