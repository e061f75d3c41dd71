import { type TextRoute, textRoute } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Inbound, Served, Topic, UpstreamKind } from "../topic.ts";

const SCHEMA = { type: "object", properties: {} };
const HOLOGRAM = { type: "hologram", data: "d" };
const TELEPORT = { type: "teleport", to: "moon" };
const TOOL = { name: "f", description: "F" };
const TOOLS = {
  chat: [{ type: "function", function: { ...TOOL, parameters: SCHEMA, strict: false }, x_tool: "t" }, TELEPORT],
  responses: [{ type: "function", ...TOOL, parameters: SCHEMA, strict: false, x_tool: "t" }, TELEPORT],
  messages: [{ ...TOOL, input_schema: SCHEMA, strict: false, x_tool: "t" }, TELEPORT],
};
const said = (type: string): object => ({ type, text: "Hi", x_block: true });
const content = (type: string): string => `[${JSON.stringify(said(type))},${JSON.stringify(HOLOGRAM)}]`;

/** What goes to an upstream of another format: what it knows. `limit` is the Messages caller's. */
const plain: Readonly<Record<UpstreamKind, (limit: string) => string>> = {
  "openai-chat": (limit) =>
    '{"model":"real-chat","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":' +
    `{"name":"f","description":"F","parameters":{"type":"object","properties":{}},"strict":false}}],${limit}` +
    '"stream":true,"stream_options":{"include_usage":true}}',
  "openai-responses": (limit) =>
    '{"model":"real-responses","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}],' +
    '"tools":[{"type":"function","name":"f","description":"F","parameters":{"type":"object","properties":{}},"strict":false}],' +
    `${limit}"stream":true,"store":false}`,
  "anthropic-messages": () =>
    '{"model":"real-messages","max_tokens":4096,"messages":[{"role":"user","content":"Hi"}],' +
    '"tools":[{"name":"f","description":"F","input_schema":{"type":"object","properties":{}},"strict":false}],"stream":true}',
};
/** What goes to one of the caller's own format: everything. */
const unchanged: Readonly<Record<Inbound, string>> = {
  chat:
    `{"model":"real-chat","messages":[{"role":"user","content":${content("text")},"x_message":1}],` +
    `"tools":${JSON.stringify(TOOLS.chat)},"stream":true,"stream_options":{"include_usage":true},"x_top":{"a":[1]}}`,
  responses:
    `{"model":"real-responses","input":[{"type":"message","role":"user","content":${content("input_text")},"x_message":1},` +
    `{"type":"x_item","n":1}],"tools":${JSON.stringify(TOOLS.responses)},"stream":true,"x_top":{"a":[1]}}`,
  messages:
    `{"model":"real-messages","max_tokens":64,"messages":[{"role":"user","content":${content("text")},"x_message":1}],` +
    `"tools":${JSON.stringify(TOOLS.messages)},"stream":true,"x_top":{"a":[1]}}`,
};

/** Every one of them is named, in the order of the request. */
function lost(inbound: Inbound): readonly string[] {
  const path = inbound === "responses" ? "input[0]" : "messages[0]";
  const item = inbound === "responses" ? ["input[1]"] : [];
  const blocks = [`${path}.content[0].x_block`, `${path}.content[1]`];
  return [`${path}.x_message`, ...blocks, ...item, "tools[0].x_tool", "tools[1]", "x_top"];
}

function foreign(inbound: Inbound, kind: UpstreamKind): Served {
  const limits = { "openai-chat": '"max_tokens":64,', "openai-responses": '"max_output_tokens":64,' };
  const limit = inbound === "messages" && kind !== "anthropic-messages" ? limits[kind] : "";
  const route = textRoute(inbound, kind, {
    upstreamReceives: plain[kind](limit),
    losses: lost(inbound),
    ...echoed(inbound),
  });
  return { ...route, ...SAID_BESIDE[kind] };
}

/** What the upstream says, and only its own format can: a member of the answer, or an event. */
const SAID_BESIDE: Readonly<Record<UpstreamKind, Pick<Served, "answerLosses" | "eventLosses">>> = {
  "openai-chat": { answerLosses: ["answer.x_chunk"] },
  "openai-responses": { eventLosses: ["answer.response.x_progress"] },
  "anthropic-messages": { eventLosses: ["answer.x_progress"] },
};

function echoed(inbound: Inbound): Pick<TextRoute, "echo"> {
  return inbound === "responses" ? { echo: { tools: JSON.stringify(TOOLS.responses) } } : {};
}

const own = (inbound: Inbound, kind: UpstreamKind): Served =>
  textRoute(inbound, kind, { upstreamReceives: unchanged[inbound], ...echoed(inbound) });

const PROGRESS = 'event: x_progress\ndata: {"type":"x_progress","n":1}\n\n';
const MESSAGE_START = "event: content_block_start\n";
const CHAT_LAST = "data: [DONE]";
const X_MEMBER = ',"x_chunk":"v"}';
const X_CHUNK =
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"x_chunk":"v"}';
const {
  "openai-chat": chatAnswers,
  "openai-responses": responsesAnswers,
  "anthropic-messages": messagesAnswers,
} = textAnswers();
const chatOwn = own("chat", "openai-chat");
const responsesOwn = own("responses", "openai-responses");
const messagesOwn = own("messages", "anthropic-messages");

/** Puts an event behind the first two of a Response's stream, which has its own numbers. */
function withProgress(stream: string): string {
  const renumbered = stream.replace(/"sequence_number":(\d+)/g, (all, number: string) =>
    Number(number) < 2 ? all : `"sequence_number":${Number(number) + 1}`,
  );
  const event = 'event: response.x_progress\ndata: {"type":"response.x_progress","sequence_number":2,"n":1}\n\n';
  return renumbered.replace("event: response.output_item.added\n", (next) => event + next);
}

/**
 * Members, blocks, items, tools and events that nobody knows. An upstream of the caller's own format gets them, and the
 * caller gets its events; Chat has no events but chunks, whose members stand in the last one and in the whole answer.
 */
export const unknownMembers: Topic = {
  name: "unknown members, blocks, tools and events",
  requests: {
    chat: {
      x_top: { a: [1] },
      messages: [{ role: "user", x_message: 1, content: [said("text"), HOLOGRAM] }],
      tools: TOOLS.chat,
    },
    responses: {
      x_top: { a: [1] },
      input: [
        { role: "user", x_message: 1, content: [said("input_text"), HOLOGRAM] },
        { type: "x_item", n: 1 },
      ],
      tools: TOOLS.responses,
    },
    messages: {
      x_top: { a: [1] },
      max_tokens: 64,
      messages: [{ role: "user", x_message: 1, content: [said("text"), HOLOGRAM] }],
      tools: TOOLS.messages,
    },
  },
  upstreamAnswers: {
    "openai-chat": {
      streamed: chatAnswers.streamed.replace(CHAT_LAST, `data: ${X_CHUNK}\n\n${CHAT_LAST}`),
      // A whole message has a list of annotations, which is empty; chunks have none.
      whole: chatAnswers.whole.replace('"refusal":null', '"refusal":null,"annotations":[]').replace(/\}$/, X_MEMBER),
    },
    "openai-responses": { ...responsesAnswers, streamed: withProgress(responsesAnswers.streamed) },
    "anthropic-messages": {
      ...messagesAnswers,
      streamed: messagesAnswers.streamed.replace(MESSAGE_START, PROGRESS + MESSAGE_START),
    },
  },
  routes: {
    chat: {
      "openai-chat": {
        ...chatOwn,
        answer: chatOwn.answer.replace(/\}$/, X_MEMBER),
        answerOfWhole: chatOwn.answer
          .replace('"refusal":null', '"refusal":null,"annotations":[]')
          .replace(/\}$/, X_MEMBER),
        stream: chatOwn.stream.replace(/\}\n\ndata: \[DONE\]/, ',"x_chunk":"v"}\n\ndata: [DONE]'),
      },
      "openai-responses": foreign("chat", "openai-responses"),
      "anthropic-messages": foreign("chat", "anthropic-messages"),
    },
    responses: {
      "openai-chat": foreign("responses", "openai-chat"),
      "openai-responses": { ...responsesOwn, stream: withProgress(responsesOwn.stream) },
      "anthropic-messages": foreign("responses", "anthropic-messages"),
    },
    messages: {
      "openai-chat": foreign("messages", "openai-chat"),
      "openai-responses": foreign("messages", "openai-responses"),
      "anthropic-messages": {
        ...messagesOwn,
        stream: messagesOwn.stream.replace(MESSAGE_START, PROGRESS + MESSAGE_START),
      },
    },
  },
};
