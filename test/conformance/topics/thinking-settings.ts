import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const CHAT = '"messages":[{"role":"user","content":"Why?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Why?"}]';
const user = [{ role: "user", content: "Why?" }];
/** Callers who keep their conversation themselves need the reasoning encrypted, to go on with it. */
const tail = '"include":["reasoning.encrypted_content"]';

/** Requests without a word on thinking, of formats that cannot say what a topic is about. */
const ordinary = {
  chat: { messages: user },
  responses: { input: "Why?" },
  messages: { max_tokens: 64, messages: user },
};
const ordinaryCells = {
  chat: {
    "openai-chat": { members: CHAT },
    "openai-responses": { members: ITEMS },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}` },
  },
  responses: {
    "openai-chat": { members: CHAT },
    "openai-responses": { members: ITEMS },
    "anthropic-messages": { members: `"max_tokens":4096,${CHAT}` },
  },
  messages: {
    "openai-chat": { members: `${CHAT},"max_tokens":64` },
    "openai-responses": { members: `${ITEMS},"max_output_tokens":64` },
    "anthropic-messages": { members: `"max_tokens":64,${CHAT}` },
  },
};

const off = '"thinking":{"type":"disabled"}';
const echoOf = (effort: string) => ({ reasoning: `{"effort":"${effort}","summary":null}` });

const thinkingOff: Topic = {
  name: "thinking switched off",
  requests: {
    chat: { messages: user, reasoning_effort: "none" },
    responses: { input: "Why?", reasoning: { effort: "none" } },
    messages: { max_tokens: 64, messages: user, thinking: { type: "disabled" } },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${CHAT},"reasoning_effort":"none"` },
      "openai-responses": { members: `${ITEMS},"reasoning":{"effort":"none"}` },
      "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${off}` },
    },
    responses: {
      "openai-chat": { members: `${CHAT},"reasoning_effort":"none"`, echo: echoOf("none") },
      "openai-responses": { members: `${ITEMS},"reasoning":{"effort":"none"}`, echo: echoOf("none") },
      "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${off}`, echo: echoOf("none") },
    },
    messages: {
      "openai-chat": { members: `${CHAT},"max_tokens":64,"reasoning_effort":"none"` },
      "openai-responses": { members: `${ITEMS},"max_output_tokens":64,"reasoning":{"effort":"none"}` },
      "anthropic-messages": { members: `"max_tokens":64,${CHAT},${off}` },
    },
  }),
};

/** Messages has no word for next to no thinking: it is thinking that is switched off. */
const minimalEffort: Topic = {
  name: "thinking effort: minimal",
  absentIn: ["messages"],
  requests: {
    ...ordinary,
    chat: { messages: user, reasoning_effort: "minimal" },
    responses: { input: "Why?", reasoning: { effort: "minimal" } },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: `${CHAT},"reasoning_effort":"minimal"` },
      "openai-responses": { members: `${ITEMS},"reasoning":{"effort":"minimal"}`, tail },
      "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${off}` },
    },
    responses: {
      "openai-chat": { members: `${CHAT},"reasoning_effort":"minimal"`, echo: echoOf("minimal") },
      "openai-responses": { members: `${ITEMS},"reasoning":{"effort":"minimal"}`, echo: echoOf("minimal") },
      "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${off}`, echo: echoOf("minimal") },
    },
    messages: ordinaryCells.messages,
  }),
};

function effortTopic(effort: string): Topic {
  const chat = `"reasoning_effort":"${effort}"`;
  const responses = `"reasoning":{"effort":"${effort}"}`;
  const messages = `"output_config":{"effort":"${effort}"}`;
  // In the OpenAI formats effort asks for thinking; in the Messages format only `thinking` does.
  const thinking = `"thinking":{"type":"adaptive"},${messages}`;
  const echo = echoOf(effort);
  return {
    name: `thinking effort: ${effort}`,
    requests: {
      chat: { messages: user, reasoning_effort: effort },
      responses: { input: "Why?", reasoning: { effort } },
      messages: { max_tokens: 64, messages: user, output_config: { effort } },
    },
    upstreamAnswers: textAnswers(),
    routes: textRoutes({
      chat: {
        "openai-chat": { members: `${CHAT},${chat}` },
        "openai-responses": { members: `${ITEMS},${responses}`, tail },
        "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${thinking}` },
      },
      responses: {
        "openai-chat": { members: `${CHAT},${chat}`, echo },
        "openai-responses": { members: `${ITEMS},${responses}`, echo },
        "anthropic-messages": { members: `"max_tokens":4096,${CHAT},${thinking}`, echo },
      },
      messages: {
        "openai-chat": { members: `${CHAT},"max_tokens":64,${chat}` },
        "openai-responses": { members: `${ITEMS},"max_output_tokens":64,${responses}`, tail },
        "anthropic-messages": { members: `"max_tokens":64,${CHAT},${messages}` },
      },
    }),
  };
}

/** In the OpenAI formats an effort stands for the tokens of a budget. */
function budgetTopic(tokens: number, effort: string): Topic {
  return {
    name: `thinking with a budget of ${tokens} tokens`,
    absentIn: ["chat", "responses"],
    requests: {
      ...ordinary,
      messages: { max_tokens: 4096, messages: user, thinking: { type: "enabled", budget_tokens: tokens } },
    },
    upstreamAnswers: textAnswers(),
    routes: textRoutes({
      ...ordinaryCells,
      messages: {
        "openai-chat": { members: `${CHAT},"max_tokens":4096,"reasoning_effort":"${effort}"` },
        "openai-responses": {
          members: `${ITEMS},"max_output_tokens":4096,"reasoning":{"effort":"${effort}"}`,
          tail,
        },
        "anthropic-messages": {
          members: `"max_tokens":4096,${CHAT},"thinking":{"type":"enabled","budget_tokens":${tokens}}`,
        },
      },
    }),
  };
}

/** An effort of the caller's own goes first. */
const budgetBesideEffort: Topic = {
  name: "thinking with a budget of tokens and an effort",
  absentIn: ["chat", "responses"],
  requests: {
    ...ordinary,
    messages: {
      max_tokens: 4096,
      messages: user,
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { effort: "high" },
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    ...ordinaryCells,
    messages: {
      "openai-chat": {
        members: `${CHAT},"max_tokens":4096,"reasoning_effort":"high"`,
        losses: ["thinking.budget_tokens"],
      },
      "openai-responses": {
        members: `${ITEMS},"max_output_tokens":4096,"reasoning":{"effort":"high"}`,
        tail,
        losses: ["thinking.budget_tokens"],
      },
      "anthropic-messages": {
        members:
          `"max_tokens":4096,${CHAT},"thinking":{"type":"enabled","budget_tokens":2048},` +
          '"output_config":{"effort":"high"}',
      },
    },
  }),
};

const thinkingBetweenTools: Topic = {
  name: "thinking between tool calls",
  absentIn: ["chat", "responses"],
  requests: { ...ordinary, messages: { max_tokens: 64, messages: user, thinking: { type: "between_tools" } } },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    ...ordinaryCells,
    messages: {
      "openai-chat": { members: `${CHAT},"max_tokens":64`, losses: ["thinking"] },
      "openai-responses": { members: `${ITEMS},"max_output_tokens":64`, tail, losses: ["thinking"] },
      "anthropic-messages": { members: `"max_tokens":64,${CHAT},"thinking":{"type":"between_tools"}` },
    },
  }),
};

/** How much the model is to think, in every spelling that the formats have. */
export const thinkingSettings: readonly Topic[] = [
  thinkingOff,
  minimalEffort,
  ...["low", "medium", "high", "xhigh", "max"].map(effortTopic),
  budgetTopic(2048, "low"),
  budgetTopic(2049, "medium"),
  budgetBesideEffort,
  thinkingBetweenTools,
];
