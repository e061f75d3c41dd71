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
  type Nine,
  rawReasoningItem,
  received,
  routesOf,
  startUsage,
  summaryItem,
  textFrames,
  textItem,
  thinkingFrames,
} from "../pieces.ts";
import { chatUpstream, messagesUpstream, responsesUpstream } from "../reasoned.ts";
import type { Topic, UpstreamKind } from "../topic.ts";

const usage = { input: 9, output: 6, reasoning: 4 };
const PIECES = ["Because", " so."] as const;
const SEALED = "<sealed:c2ln>";

/**
 * De facto, Chat has reasoning in `reasoning_content`; what seals it stands in `reasoning_details`, once it is
 * complete.
 */
function toChat(kind: UpstreamKind) {
  const id = kind === "openai-responses" ? ',"id":"rs_1"' : "";
  const details =
    kind === "openai-chat"
      ? undefined
      : `"reasoning_details":[{"type":"reasoning.summary","summary":"Because so."${id}},` +
        `{"type":"reasoning.text","text":"","signature":"${SEALED}"${id}}]`;
  const sealed = details === undefined ? "" : `,${details}`;
  const message = `"content":"Yes.","refusal":null,"reasoning_content":"Because so."${sealed}`;
  const deltas = [
    '{"reasoning_content":"Because"}',
    '{"reasoning_content":" so."}',
    ...(details === undefined ? [] : [`{${details}}`]),
    '{"content":"Yes."}',
  ];
  return { answer: chatAnswer(kind, { message, finish: "stop", usage }), stream: chatStream(kind, deltas, "stop") };
}

function toResponses(kind: UpstreamKind) {
  const own = kind === "openai-responses";
  const reasoning =
    kind === "openai-chat"
      ? rawReasoningItem("rs_<hex>_0", PIECES, "<sealed:>")
      : summaryItem(own ? "rs_1" : "rs_<hex>_0", PIECES, SEALED);
  const message = textItem({ id: own ? "msg_1" : "msg_<hex>_1", index: 1 }, "Yes.");
  const echo = { reasoning: '{"effort":"high","summary":"auto"}' };
  const response = { output: `${reasoning.item},${message.item}`, usage, echo };
  return {
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [...reasoning.events, ...message.events]),
  };
}

function toMessages(kind: UpstreamKind) {
  // Nobody signed the reasoning of a Chat upstream: the seal says only whose it is.
  const signature = kind === "openai-chat" ? "<sealed:>" : SEALED;
  const thinking = `{"type":"thinking","thinking":"Because so.","signature":"${signature}"}`;
  const content = `${thinking},{"type":"text","text":"Yes."}`;
  const end = { stopReason: "end_turn", usage };
  return {
    answer: messagesAnswer(kind, { content, ...end }),
    stream: messagesStream(kind, end, {
      startUsage: startUsage(kind),
      frames: [...thinkingFrames(0, PIECES, signature), ...textFrames(1, "Yes.")],
    }),
  };
}

const CHAT = '"messages":[{"role":"user","content":"Why?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"Why?"}]';
const INCLUDE = ',"include":["reasoning.encrypted_content"]';

const asked: Nine<Asked> = {
  chat: {
    "openai-chat": { upstreamReceives: received("openai-chat", `${CHAT},"reasoning_effort":"high"`) },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `${ITEMS},"reasoning":{"effort":"high"}`,
        `,"store":false${INCLUDE}`,
      ),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,${CHAT},"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}`,
      ),
    },
  },
  responses: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT},"reasoning_effort":"high"`),
      losses: ["reasoning.summary"],
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `${ITEMS},"reasoning":{"effort":"high","summary":"auto"}`,
        INCLUDE,
      ),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":4096,${CHAT},"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"}`,
      ),
    },
  },
  messages: {
    "openai-chat": {
      upstreamReceives: received("openai-chat", `${CHAT},"max_tokens":64,"reasoning_effort":"high"`),
      losses: ["thinking.display"],
    },
    "openai-responses": {
      upstreamReceives: received(
        "openai-responses",
        `${ITEMS},"max_output_tokens":64,"reasoning":{"effort":"high","summary":"auto"}`,
        `,"store":false${INCLUDE}`,
      ),
    },
    "anthropic-messages": {
      upstreamReceives: received(
        "anthropic-messages",
        `"max_tokens":64,${CHAT},"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"}`,
      ),
    },
  },
};

/** The caller asks for effort, and to see the reasoning; the answer has it, signed where the upstream signs. */
export const thinkingAskedFor: Topic = {
  name: "reasoning asked for, by effort and to be seen",
  requests: {
    chat: { messages: [{ role: "user", content: "Why?" }], reasoning_effort: "high" },
    responses: {
      input: "Why?",
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    },
    messages: {
      max_tokens: 64,
      messages: [{ role: "user", content: "Why?" }],
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
    },
  },
  upstreamAnswers: {
    "openai-chat": chatUpstream('"content":"Yes.","refusal":null,"reasoning_content":"Because so."', [
      '{"reasoning_content":"Because"}',
      '{"reasoning_content":" so."}',
      '{"content":"Yes."}',
    ]),
    "openai-responses": responsesUpstream(PIECES, "c2ln", "Yes."),
    "anthropic-messages": messagesUpstream(
      {
        start: '{"type":"thinking","thinking":"","signature":""}',
        deltas: [
          '{"type":"thinking_delta","thinking":"Because"}',
          '{"type":"thinking_delta","thinking":" so."}',
          '{"type":"signature_delta","signature":"c2ln"}',
        ],
        whole: '{"type":"thinking","thinking":"Because so.","signature":"c2ln"}',
      },
      "Yes.",
    ),
  },
  routes: routesOf(asked, { chat: toChat, responses: toResponses, messages: toMessages }),
};
