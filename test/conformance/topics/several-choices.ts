import { chatUsage } from "../expected.ts";
import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { dataFrames, type Served, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "../topic.ts";

const messages = '"messages":[{"role":"user","content":"Say hello"}]';
const input = '"input":[{"type":"message","role":"user","content":"Say hello"}]';
const cells: TextCells = {
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
};

/** Each choice is a call of its own, which counts its prompt. */
const usageOf = (kind: UpstreamKind) =>
  kind === "openai-responses" ? { input: 18, output: 4, reasoning: 0 } : { input: 18, output: 4 };

function inChat(kind: UpstreamKind): Pick<Served, "answer" | "stream"> {
  const choice = (index: number): string =>
    `{"index":${index},"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"stop"}`;
  const head = (object: string): string =>
    `{"id":"<id>","object":"${object}","created":<created>,"model":"attune/${kind}",` +
    `${object === "chat.completion" ? '"system_fingerprint":null,' : ""}"choices":[`;
  const chunk = (index: number, delta: string, finish = "null"): string =>
    `${head("chat.completion.chunk")}{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}`;
  const role = '{"role":"assistant","content":"","refusal":null}';
  return {
    answer: `${head("chat.completion")}${choice(0)},${choice(1)}],"usage":${chatUsage(usageOf(kind))}}`,
    stream: dataFrames(
      ...[0, 1].flatMap((index) => [
        ...[chunk(index, role), chunk(index, '{"content":"Hel"}'), chunk(index, '{"content":"lo"}')],
        chunk(index, "{}", '"stop"'),
      ]),
      "[DONE]",
    ),
  };
}

function withChoices(routes: Topic["routes"]): Topic["routes"] {
  const chat = UPSTREAM_KINDS.map((kind) => [kind, { ...routes.chat[kind], ...inChat(kind) }]);
  return { ...routes, chat: Object.fromEntries(chat) as Topic["routes"]["chat"] };
}

/** The caller asks for two answers, and gets both. */
export const severalChoices: Topic = {
  name: "several choices (`n`)",
  absentIn: ["responses", "messages"],
  requests: {
    chat: { messages: [{ role: "user", content: "Say hello" }], n: 2 },
    responses: { input: "Say hello" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "Say hello" }] },
  },
  upstreamAnswers: textAnswers(),
  routes: withChoices(textRoutes(cells)),
};
