import { type TextCell, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic, UpstreamKind } from "../topic.ts";

const SCHEMA = { type: "object", properties: {} };
const GRAMMAR = { type: "grammar", grammar: "a+" };
const user = [{ role: "user", content: "Why?" }];

const SAID: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat":
    '"messages":[{"role":"user","content":"Why?"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]',
  "openai-responses":
    '"input":[{"type":"message","role":"user","content":"Why?"}],"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}}',
  "anthropic-messages":
    '"messages":[{"role":"user","content":"Why?"}],"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]',
};
const toResponses = `${SAID["openai-responses"]},"strict":false}]`;
const echo = {
  reasoning: '{"effort":"ultra","summary":"verbatim"}',
  text: '{"format":{"type":"grammar","grammar":"a+"},"verbosity":"epic"}',
  tool_choice: '"eager"',
  tools:
    '[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"description":null,"strict":null}]',
};
const optionsLost = {
  chat: ["tool_choice", "response_format", "reasoning_effort", "verbosity"],
  responses: ["tool_choice", "reasoning.effort", "reasoning.summary", "text.verbosity", "text.format"],
  messages: ["tool_choice", "thinking.display", "output_config.effort", "output_config.format"],
};

const options: Topic = {
  name: "future values of options",
  requests: {
    chat: {
      messages: user,
      tools: [{ type: "function", function: { name: "f", parameters: SCHEMA } }],
      tool_choice: "eager",
      reasoning_effort: "ultra",
      verbosity: "epic",
      response_format: GRAMMAR,
    },
    responses: {
      input: "Why?",
      tools: [{ type: "function", name: "f", parameters: SCHEMA }],
      tool_choice: "eager",
      reasoning: { effort: "ultra", summary: "verbatim" },
      text: { verbosity: "epic", format: GRAMMAR },
    },
    messages: {
      max_tokens: 64,
      messages: user,
      tools: [{ name: "f", input_schema: SCHEMA }],
      tool_choice: { type: "eager" },
      thinking: { type: "adaptive", display: "verbatim" },
      output_config: { effort: "ultra", format: GRAMMAR },
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": {
        members: `${SAID["openai-chat"]},"tool_choice":"eager"`,
        tail: '"response_format":{"type":"grammar","grammar":"a+"},"reasoning_effort":"ultra","verbosity":"epic"',
      },
      "openai-responses": { members: toResponses, losses: optionsLost.chat },
      "anthropic-messages": {
        members: `"max_tokens":4096,${SAID["anthropic-messages"]}`,
        losses: optionsLost.chat,
      },
    },
    responses: {
      "openai-chat": { members: SAID["openai-chat"], losses: optionsLost.responses, echo },
      "openai-responses": {
        members: `${SAID["openai-responses"]}}],"tool_choice":"eager","reasoning":{"effort":"ultra","summary":"verbatim"},"text":{"verbosity":"epic","format":{"type":"grammar","grammar":"a+"}}`,
        echo,
      },
      "anthropic-messages": {
        members: `"max_tokens":4096,${SAID["anthropic-messages"]}`,
        losses: optionsLost.responses,
        echo,
      },
    },
    messages: {
      "openai-chat": { members: `${SAID["openai-chat"]},"max_tokens":64`, losses: optionsLost.messages },
      "openai-responses": {
        members: `${toResponses},"max_output_tokens":64`,
        tail: '"include":["reasoning.encrypted_content"]',
        losses: optionsLost.messages,
      },
      "anthropic-messages": {
        members: `"max_tokens":64,${SAID["anthropic-messages"]},"tool_choice":{"type":"eager"},"thinking":{"type":"adaptive","display":"verbatim"}`,
        tail: '"output_config":{"effort":"ultra","format":{"type":"grammar","grammar":"a+"}}',
      },
    },
  }),
};

const URL = "https://a.test/i.png";
const MARK = { mode: "explicit", ttl: "7d" };
const critic = { role: "critic", content: "Hm" };
const CRITIC = '{"role":"critic","content":"Hm"}';
/** What a foreign upstream is told: the image, where it could be decoded, and the text with the shortest mark. */
const toldChat = (image: string): string =>
  `"messages":[{"role":"user","content":[${image}{"type":"text","text":"Why?","prompt_cache_breakpoint":{"mode":"explicit"}}]}]`;
const toldResponses = (image: string): string =>
  `"input":[{"type":"message","role":"user","content":[${image}{"type":"input_text","text":"Why?","prompt_cache_breakpoint":{"mode":"explicit"}}]}]`;
const toldMessages =
  `"max_tokens":4096,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"${URL}"}},` +
  '{"type":"text","text":"Why?","cache_control":{"type":"ephemeral"}}]}]';
const lostOfChat = [
  "messages[0].content[0].image_url.detail",
  "messages[0].content[1].prompt_cache_breakpoint.ttl",
  "messages[1]",
];
const lostOfItems = ["input[0].content[0].detail", "input[0].content[1].prompt_cache_breakpoint.ttl"];
const lostOfMessages = ["messages[0].content[0]", "messages[0].content[1].cache_control.ttl"];

const content: Topic = {
  name: "future values in messages: roles, sources, details, lifetimes",
  requests: {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: URL, detail: "retina" } },
            { type: "text", text: "Why?", prompt_cache_breakpoint: MARK },
          ],
        },
        critic,
      ],
    },
    responses: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_image", image_url: URL, detail: "retina" },
            { type: "input_text", text: "Why?", prompt_cache_breakpoint: MARK },
          ],
        },
        critic,
      ],
    },
    messages: {
      max_tokens: 64,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "camera", id: 7 } },
            { type: "text", text: "Why?", cache_control: { type: "ephemeral", ttl: "24h" } },
          ],
        },
        critic,
      ],
    },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": {
        members:
          `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${URL}","detail":"retina"}},` +
          `{"type":"text","text":"Why?","prompt_cache_breakpoint":{"mode":"explicit","ttl":"7d"}}]},${CRITIC}]`,
      },
      "openai-responses": {
        members: toldResponses(`{"type":"input_image","detail":"auto","image_url":"${URL}"},`),
        losses: lostOfChat,
      },
      "anthropic-messages": { members: toldMessages, losses: lostOfChat },
    },
    responses: {
      "openai-chat": {
        members: toldChat(`{"type":"image_url","image_url":{"url":"${URL}"}},`),
        losses: [...lostOfItems, "input[1]"],
      },
      "openai-responses": {
        members:
          `"input":[{"type":"message","role":"user","content":[{"type":"input_image","detail":"retina","image_url":"${URL}"},` +
          `{"type":"input_text","text":"Why?","prompt_cache_breakpoint":{"mode":"explicit","ttl":"7d"}}]},${CRITIC}]`,
      },
      "anthropic-messages": { members: toldMessages, losses: [...lostOfItems, "input[1]"] },
    },
    messages: {
      "openai-chat": {
        members: `${toldChat("")},"max_tokens":64,"prompt_cache_options":{"mode":"explicit"}`,
        losses: [...lostOfMessages, "messages[1]"],
      },
      "openai-responses": {
        members: `${toldResponses("")},"max_output_tokens":64,"prompt_cache_options":{"mode":"explicit"}`,
        losses: [...lostOfMessages, "messages[1]"],
      },
      "anthropic-messages": {
        members:
          '"max_tokens":64,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"camera","id":7}},' +
          `{"type":"text","text":"Why?","cache_control":{"type":"ephemeral","ttl":"24h"}}]},${CRITIC}]`,
      },
    },
  }),
};

/** Reasons that no format has as yet: none of them is told as a natural end. */
const ends = { chat: "handed_back", incomplete: "handed_over", messages: "budget_spent" };
const CUT = { chat: "length", messages: "max_tokens" };
const asked: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": '"messages":[{"role":"user","content":"Why?"}]',
  "openai-responses": '"input":[{"type":"message","role":"user","content":"Why?"}]',
  "anthropic-messages": '"max_tokens":4096,"messages":[{"role":"user","content":"Why?"}]',
};
const ofChat: Omit<Extract<TextCell, { members: string }>, "members"> = {
  ends: { ...CUT, incomplete: "handed_back" },
  answerLosses: ["answer.choices[0].finish_reason"],
};
const ofResponses = { ends: CUT, answerLosses: ["answer.incomplete_details.reason"] };
const ofMessages = { ends: { ...CUT, incomplete: "budget_spent" }, answerLosses: ["answer.stop_reason"] };

const stopReasons: Topic = {
  name: "future reasons to stop",
  requests: {
    chat: { messages: user },
    responses: { input: "Why?" },
    messages: { max_tokens: 64, messages: user },
  },
  upstreamAnswers: textAnswers(ends),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: asked["openai-chat"], ends },
      "openai-responses": {
        members: asked["openai-responses"],
        ...ofResponses,
      },
      "anthropic-messages": { members: asked["anthropic-messages"], ...ofMessages },
    },
    responses: {
      "openai-chat": { members: asked["openai-chat"], ...ofChat },
      "openai-responses": { members: asked["openai-responses"], ends },
      "anthropic-messages": { members: asked["anthropic-messages"], ...ofMessages },
    },
    messages: {
      "openai-chat": { members: `${asked["openai-chat"]},"max_tokens":64`, ...ofChat },
      "openai-responses": { members: `${asked["openai-responses"]},"max_output_tokens":64`, ...ofResponses },
      "anthropic-messages": { members: '"max_tokens":64,"messages":[{"role":"user","content":"Why?"}]', ends },
    },
  }),
};

/** Words that vendors may add to their lists tomorrow. */
export const futureValues: readonly Topic[] = [options, content, stopReasons];
