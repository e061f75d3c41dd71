/**
 * The routes of a request that is answered with one text in two pieces, "Hel" and "lo": what most topics that are about
 * requests need. Every text is written by hand from the formats' documentation, as in `expected.ts`.
 */
import {
  chatAnswer,
  chatStream,
  messagesAnswer,
  messagesStream,
  responsesAnswer,
  responsesStream,
} from "./expected.ts";
import { DONE, type Ends } from "./text-upstream.ts";
import {
  byKey,
  INBOUND,
  type Inbound,
  type Refused,
  type Route,
  type Served,
  type Topic,
  UPSTREAM_KINDS,
  UPSTREAM_MODEL,
  type UpstreamKind,
} from "./topic.ts";

const usage = { input: 9, output: 2 };
/** Chat and Messages answers tell of reasoning only where the upstream did, as a Responses upstream does. */
const usageOf = (kind: UpstreamKind) => (kind === "openai-responses" ? { ...usage, reasoning: 0 } : usage);

/** What a route receives and loses, besides the answer that all of them have. */
export interface TextRoute {
  readonly upstreamReceives: string;
  readonly losses?: readonly string[];
  readonly answerLosses?: readonly string[];
  /** Members of the Response that repeat the request. */
  readonly echo?: Readonly<Record<string, string>>;
  readonly ends?: Ends;
}

/** The route of a request that is answered with the text. */
export function textRoute(inbound: Inbound, kind: UpstreamKind, route: TextRoute): Served {
  const { upstreamReceives, losses = [], answerLosses = [], ends = DONE } = route;
  return { upstreamReceives, losses, answerLosses, ...ANSWER[inbound](kind, ends, route.echo) };
}

type Answer = (kind: UpstreamKind, ends: Ends, echo: TextRoute["echo"]) => Pick<Served, "answer" | "stream">;

const ANSWER: Readonly<Record<Inbound, Answer>> = {
  chat: (kind, { chat }) => ({
    answer: chatAnswer(kind, { message: '"content":"Hello","refusal":null', finish: chat, usage: usageOf(kind) }),
    stream: chatStream(kind, ['{"content":"Hel"}', '{"content":"lo"}'], chat),
  }),
  responses: inResponses,
  messages: inMessages,
};

function inResponses(kind: UpstreamKind, { incomplete }: Ends, echo: TextRoute["echo"]): ReturnType<Answer> {
  // An item keeps the id of an upstream that gives one.
  const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
  const status = incomplete === undefined ? "completed" : "incomplete";
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
  const item = `{"id":"${id}","type":"message","role":"assistant","status":"${status}","content":[${part("Hello")}]}`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const why = incomplete === undefined ? {} : { incompleteReason: incomplete };
  const response = { output: item, usage, status, ...why, ...(echo === undefined ? {} : { echo }) };
  return {
    answer: responsesAnswer(kind, response),
    stream: responsesStream(kind, response, [
      [
        "response.output_item.added",
        `"output_index":0,"item":{"id":"${id}","type":"message","role":"assistant","status":"in_progress","content":[]}`,
      ],
      ["response.content_part.added", `${place},"part":${part("")}`],
      ["response.output_text.delta", `${place},"delta":"Hel","logprobs":[]`],
      ["response.output_text.delta", `${place},"delta":"lo","logprobs":[]`],
      ["response.output_text.done", `${place},"text":"Hello","logprobs":[]`],
      ["response.content_part.done", `${place},"part":${part("Hello")}`],
      ["response.output_item.done", `"output_index":0,"item":${item}`],
    ]),
  };
}

function inMessages(kind: UpstreamKind, { messages, stopSequence }: Ends): ReturnType<Answer> {
  const sequence = stopSequence === undefined ? {} : { stopSequence };
  const end = { stopReason: messages, ...sequence, usage: usageOf(kind) };
  return {
    answer: messagesAnswer(kind, { content: '{"type":"text","text":"Hello"}', ...end }),
    stream: messagesStream(kind, end, {
      startUsage: kind === "anthropic-messages" ? { input: 9, output: 1 } : { input: 0, output: 0 },
      frames: [
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
        '{"type":"content_block_stop","index":0}',
      ],
    }),
  };
}

/** A route, with the members of the upstream's request in place of the whole of it: all but model and stream. */
export type TextCell =
  | Refused
  | (Omit<TextRoute, "upstreamReceives"> & {
      readonly members: string;
      /** Members that stand behind `stream`, where those do that only the caller's format knows. */
      readonly tail?: string;
    });

/** Nine routes. */
export type TextCells = Readonly<Record<Inbound, Readonly<Record<UpstreamKind, TextCell>>>>;

/** Completes the routes of a topic whose requests are answered with the text. */
export function textRoutes(cells: TextCells): Topic["routes"] {
  const routesOf = (inbound: Inbound) =>
    byKey(UPSTREAM_KINDS, (kind) => completeCell(inbound, kind, cells[inbound][kind]));
  return byKey(INBOUND, routesOf);
}

function completeCell(inbound: Inbound, kind: UpstreamKind, cell: TextCell): Route {
  if ("refused" in cell) return cell;
  const { members, tail, ...route } = cell;
  const request = upstreamRequest(inbound, kind, members);
  const upstreamReceives = tail === undefined ? request : `${request.slice(0, -1)},${tail}}`;
  return textRoute(inbound, kind, { ...route, upstreamReceives });
}

/** A request as an upstream receives it that is asked for a stream, which is to tell its usage. */
export function upstreamRequest(inbound: Inbound, kind: UpstreamKind, members: string): string {
  const rest: Record<UpstreamKind, string> = {
    "openai-chat": ',"stream_options":{"include_usage":true}',
    // A caller of another format does not know that the upstream would keep its answers.
    "openai-responses": inbound === "responses" ? "" : ',"store":false',
    "anthropic-messages": "",
  };
  return `{"model":"${UPSTREAM_MODEL[kind]}",${members},"stream":true${rest[kind]}}`;
}
