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
/** Responses knows no redacted thinking: what its upstreams encrypt is thinking without a summary. */
const isRedacted = (kind: UpstreamKind): boolean => kind !== "openai-responses";
const BLOB: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "<redacted:bmV3>",
  "openai-responses": "<sealed:bmV3>",
  "anthropic-messages": "<redacted:bmV3>",
};

function toChat(kind: UpstreamKind) {
  const entry = isRedacted(kind)
    ? `{"type":"reasoning.encrypted","data":"${BLOB[kind]}"}`
    : `{"type":"reasoning.text","text":"","signature":"${BLOB[kind]}","id":"rs_1"}`;
  const details = `"reasoning_details":[${entry}]`;
  const message = `"content":"So.","refusal":null,${details}`;
  return {
    answer: chatAnswer(kind, { message, finish: "stop", usage }),
    stream: chatStream(kind, [`{${details}}`, '{"content":"So."}'], "stop"),
  };
}

function toResponses(kind: UpstreamKind) {
  const own = kind === "openai-responses";
  const reasoning = encryptedItem(own ? "rs_1" : "rs_<hex>_0", BLOB[kind]);
  const message = textItem({ id: own ? "msg_1" : "msg_<hex>_1", index: 1 }, "So.");
  const response = { output: `${reasoning.item},${message.item}`, usage };
  return {
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [...reasoning.events, ...message.events]),
  };
}

function toMessages(kind: UpstreamKind) {
  const redacted = `{"type":"redacted_thinking","data":"${BLOB[kind]}"}`;
  const block = isRedacted(kind) ? redacted : `{"type":"thinking","thinking":"","signature":"${BLOB[kind]}"}`;
  const frames = isRedacted(kind) ? blockFrames(0, redacted) : thinkingFrames(0, [], BLOB[kind]);
  const end = { stopReason: "end_turn", usage };
  return {
    answer: messagesAnswer(kind, { content: `${block},{"type":"text","text":"So."}`, ...end }),
    stream: messagesStream(kind, end, { startUsage: startUsage(kind), frames: [...frames, ...textFrames(1, "So.")] }),
  };
}

const DETAILS = '"reasoning_details":[{"type":"reasoning.encrypted","data":"b2xk"}]';
const CHAT = `"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Because.",${DETAILS}},{"role":"user","content":"And?"}]`;
const MESSAGES =
  '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b2xk"},{"type":"text","text":"Because."}]},{"role":"user","content":"And?"}]';
const items = (id: string): string =>
  `"input":[{"type":"message","role":"user","content":"Why?"},{"type":"reasoning",${id}"summary":[],"encrypted_content":"b2xk"},` +
  '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Because.","annotations":[]}]},{"type":"message","role":"user","content":"And?"}]';
const STATELESS = ',"store":false,"include":["reasoning.encrypted_content"]';

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", items(""), STATELESS) },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${MESSAGES}`) },
  },
  responses: {
    "openai-chat": { upstreamReceives: received("openai-chat", CHAT) },
    "openai-responses": { upstreamReceives: received("openai-responses", items('"id":"rs_0",')) },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":4096,${MESSAGES}`) },
  },
  messages: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64`) },
    "openai-responses": {
      upstreamReceives: received("openai-responses", `${items("")},"max_output_tokens":64`, STATELESS),
    },
    "anthropic-messages": { upstreamReceives: received("anthropic-messages", `"max_tokens":64,${MESSAGES}`) },
  },
};

const REDACTED = '{"type":"redacted_thinking","data":"bmV3"}';

/**
 * The history has thinking that only its maker can read, which it gets back byte for byte; the answer has more of it.
 */
export const redactedThinking: Topic = {
  name: "redacted thinking",
  requests: {
    chat: {
      messages: [
        { role: "user", content: "Why?" },
        {
          role: "assistant",
          content: "Because.",
          reasoning_details: [{ type: "reasoning.encrypted", data: "<redacted:b2xk>" }],
        },
        { role: "user", content: "And?" },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "Why?" },
        { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "<redacted:b2xk>" },
        { role: "assistant", content: [{ type: "output_text", text: "Because.", annotations: [] }] },
        { role: "user", content: "And?" },
      ],
    },
    messages: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "Why?" },
        {
          role: "assistant",
          content: [
            { type: "redacted_thinking", data: "<redacted:b2xk>" },
            { type: "text", text: "Because." },
          ],
        },
        { role: "user", content: "And?" },
      ],
    },
  },
  upstreamAnswers: {
    "openai-chat": chatUpstream(
      '"content":"So.","refusal":null,"reasoning_details":[{"type":"reasoning.encrypted","data":"bmV3"}]',
      ['{"reasoning_details":[{"type":"reasoning.encrypted","data":"bmV3"}]}', '{"content":"So."}'],
    ),
    "openai-responses": responsesUpstream([], "bmV3", "So."),
    "anthropic-messages": messagesUpstream({ start: REDACTED, deltas: [], whole: REDACTED }, "So."),
  },
  routes: routesOf(asked, { chat: toChat, responses: toResponses, messages: toMessages }),
};
