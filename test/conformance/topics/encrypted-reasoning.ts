import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "../expected.ts";
import {
  type Asked,
  blockFrames,
  encryptedItem,
  type Nine,
  received,
  routesOf,
  startUsage,
  textFrames,
  textItem,
  thinkingFrames,
} from "../pieces.ts";
import { chatUpstream, messagesUpstream, responsesUpstream } from "../reasoned.ts";
import type { Topic, UpstreamKind } from "../topic.ts";

const usage = { input: 9, output: 6, reasoning: 4 };

function toChat(kind: UpstreamKind) {
  const entry: Readonly<Record<UpstreamKind, string>> = {
    "openai-chat":
      '{"type":"reasoning.encrypted","data":"<redacted:ZW5j>","id":"rs_9","format":"openai-responses-v1","index":0}',
    "openai-responses": '{"type":"reasoning.text","text":"","signature":"<sealed:ZW5j>","id":"rs_1"}',
    "anthropic-messages": '{"type":"reasoning.text","text":"","signature":"<sealed:ZW5j>"}',
  };
  const details = `"reasoning_details":[${entry[kind]}]`;
  return {
    answer: chatAnswer(kind, { message: `"content":"Yes.","refusal":null,${details}`, finish: "stop", usage }),
    stream: chatStream(kind, [`{${details}}`, '{"content":"Yes."}'], "stop"),
  };
}

function toResponses(kind: UpstreamKind) {
  const own = kind === "openai-responses";
  const blob = kind === "openai-chat" ? "<redacted:ZW5j>" : "<sealed:ZW5j>";
  const reasoning = encryptedItem(own ? "rs_1" : "rs_<hex>_0", blob);
  const message = textItem({ id: own ? "msg_1" : "msg_<hex>_1", index: 1 }, "Yes.");
  const echo = { reasoning: '{"effort":"low","summary":null}' };
  const response = { output: `${reasoning.item},${message.item}`, usage, echo };
  return {
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [...reasoning.events, ...message.events]),
  };
}

function toMessages(kind: UpstreamKind) {
  const redacted = '{"type":"redacted_thinking","data":"<redacted:ZW5j>"}';
  const isChat = kind === "openai-chat";
  const block = isChat ? redacted : '{"type":"thinking","thinking":"","signature":"<sealed:ZW5j>"}';
  const frames = isChat ? blockFrames(0, redacted) : thinkingFrames(0, [], "<sealed:ZW5j>");
  const end = { stopReason: "end_turn", usage };
  return {
    answer: messagesAnswer(kind, { content: `${block},{"type":"text","text":"Yes."}`, ...end }),
    stream: messagesStream(kind, end, { startUsage: startUsage(kind), frames: [...frames, ...textFrames(1, "Yes.")] }),
  };
}

const CHAT = '"messages":[{"role":"user","content":"Why?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Why?"}]';
const INCLUDE = ',"include":["reasoning.encrypted_content"]';
const MESSAGES = `"max_tokens":4096,${CHAT},"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}`;

/** What an entry of `reasoning_details` says beside its data. */
const ENTRY = ["answer.content[0].id", "answer.content[0].format"];

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},"reasoning_effort":"low"`) },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `${ITEMS},"reasoning":{"effort":"low"}`,
        `,"store":false${INCLUDE}`,
      ),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", MESSAGES) },
  },
  responses: {
    // That the encrypted form is asked for says no more than what happens anyway.
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT},"reasoning_effort":"low"`),
      answerLosses: ENTRY,
    },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${ITEMS},"reasoning":{"effort":"low"}`, INCLUDE),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", MESSAGES) },
  },
  messages: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64`),
      losses: ["thinking.display"],
      answerLosses: ENTRY,
    },
    // Without a summary asked for none is given, as `omitted` wants it.
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${ITEMS},"max_output_tokens":64`, `,"store":false${INCLUDE}`),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":64,${CHAT},"thinking":{"type":"adaptive","display":"omitted"}`,
      ),
    },
  },
};

/** The upstream reasons and shows nothing of it but what it wants to have back. */
export const encryptedReasoning: Topic = {
  name: "encrypted reasoning",
  requests: {
    chat: { messages: [{ role: "user", content: "Why?" }], reasoning_effort: "low" },
    responses: { input: "Why?", reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: "Why?" }],
      thinking: { type: "adaptive", display: "omitted" },
    },
  },
  upstreamAnswers: {
    "openai-chat": chatUpstream(
      '"content":"Yes.","refusal":null,' +
        '"reasoning_details":[{"type":"reasoning.encrypted","data":"ZW5j","id":"rs_9","format":"openai-responses-v1","index":0}]',
      [
        '{"reasoning_details":[{"type":"reasoning.encrypted","data":"ZW5j","id":"rs_9","format":"openai-responses-v1","index":0}]}',
        '{"content":"Yes."}',
      ],
    ),
    "openai-responses": responsesUpstream([], "ZW5j", "Yes."),
    "anthropic-messages": messagesUpstream(
      {
        start: '{"type":"thinking","thinking":"","signature":""}',
        deltas: ['{"type":"signature_delta","signature":"ZW5j"}'],
        whole: '{"type":"thinking","thinking":"","signature":"ZW5j"}',
      },
      "Yes.",
    ),
  },
  routes: routesOf(asked, { chat: toChat, responses: toResponses, messages: toMessages }),
};
