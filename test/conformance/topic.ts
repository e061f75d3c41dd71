/** A public format, as the caller speaks it. */
export type Inbound = "chat" | "responses" | "messages";
/** A kind of upstream. */
export type UpstreamKind = "openai-chat" | "openai-responses" | "anthropic-messages";

export const INBOUND: readonly Inbound[] = ["chat", "responses", "messages"];
export const UPSTREAM_KINDS: readonly UpstreamKind[] = ["openai-chat", "openai-responses", "anthropic-messages"];

/** What one route does with one request. All texts are exact bytes, written by hand from the formats' documentation. */
export type Route = Served | Refused;

/** The upstream is called. */
export interface Served {
  /** Body that the upstream receives where it is asked for a stream; `askedWhole` writes the other. */
  readonly upstreamReceives: string;
  /** What the header attune-translation-loss lists; empty if nothing is lost. */
  readonly losses: readonly string[];
  /** What the caller's format cannot say of the answer: in the header of a whole one, and in a comment of a stream. */
  readonly answerLosses?: readonly string[];
  /** The same of events, which only streams to streams have. */
  readonly eventLosses?: readonly string[];
  /** Body of the whole answer. */
  readonly answer: string;
  /** The same of an upstream that answered whole, where such an answer says more than a stream. */
  readonly answerOfWhole?: string;
  /** Body of the streamed answer, without the comment: `frames` below helps to write it. */
  readonly stream: string;
}

/** The request is refused by name, before any upstream is called. */
export interface Refused {
  readonly refused: {
    readonly status: number;
    readonly body: string;
    /** In a word or two, for the matrix: `audio`. */
    readonly name: string;
  };
}

/**
 * One topic of the matrix. In all texts `<id>` stands for the inference's UUID, `<hex>` for the same without dashes,
 * `<created>` for the times at which it began and ended (seconds), `<request>` for the request's id, and
 * `<sealed:BLOB>` for the blob sealed with the origin of the route's upstream (`<redacted:BLOB>` for redacted
 * thinking), and `<estimate>` for the tokens of a prompt that the upstream has not counted yet:
 * test/facade/messages/estimate-input-tokens.test.ts has their exact numbers.
 */
export interface Topic {
  /** Name in the matrix: `parallel tool calls`. */
  readonly name: string;
  /** Formats that cannot say this: their requests here are ordinary ones, and the matrix shows a dash. */
  readonly absentIn?: readonly Inbound[];
  /**
   * What the caller sends in each format, without `model` and `stream`, which the runner adds: model first, stream
   * last.
   */
  readonly requests: Readonly<Record<Inbound, object>>;
  /** What the caller says besides where it streams, before `stream`. */
  readonly streamedRequests?: Readonly<Partial<Record<Inbound, object>>>;
  readonly upstreamAnswers: Readonly<Record<UpstreamKind, UpstreamAnswer>>;
  readonly routes: Readonly<Record<Inbound, Readonly<Record<UpstreamKind, Route>>>>;
}

/**
 * What an upstream answers, as it is asked. Both say the same, and are written by hand, each from the documentation of
 * its kind.
 */
export interface UpstreamAnswer {
  /** An SSE body. */
  readonly streamed: string;
  /** A JSON body. */
  readonly whole: string;
}

/** Members that ask for a stream. Only Chat streams have to be asked for their usage. */
const STREAM_MEMBERS: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": ',"stream":true,"stream_options":{"include_usage":true}',
  "openai-responses": ',"stream":true',
  "anthropic-messages": ',"stream":true',
};

/** Returns a request for a stream as it is where a whole answer is asked for. */
export function askedWhole(kind: UpstreamKind, upstreamReceives: string): string {
  const [before, after, ...more] = upstreamReceives.split(STREAM_MEMBERS[kind]);
  if (after === undefined || more.length > 0)
    throw new Error(`a request must ask for a stream once: ${upstreamReceives}`);
  return before + after;
}

/** Makes a record of what each key has. */
export function byKey<Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}

/** Joins events without names: `data: ...` for each, as Chat sends them. */
export function dataFrames(...datas: readonly string[]): string {
  return datas.map((data) => `data: ${data}\n\n`).join("");
}

/** Joins events that are named as their `type`, as Responses and Messages send them. */
export function typedFrames(...datas: readonly string[]): string {
  return datas.map((data) => `event: ${typeOf(data)}\ndata: ${data}\n\n`).join("");
}

/** The texts may hold placeholders that are no JSON; in all of them the type stands first, or behind numbers. */
function typeOf(data: string): string {
  const type = /^\{(?:"\w+":\d+,)*"type":"([\w.]+)"/.exec(data)?.[1];
  if (type === undefined) throw new Error(`an event must begin with its type: ${data}`);
  return type;
}

/** Beginning of what a format writes when an answer ends. A Response's last item ends only then. */
const END: Readonly<Record<Inbound, RegExp>> = {
  chat: /^data: .*"finish_reason":"/,
  responses: /^event: response\.output_item\.done/,
  messages: /^event: message_delta/,
};

/** Puts the comment that tells of losses before the end of a stream. */
export function tellLosses(inbound: Inbound, stream: string, losses: readonly string[]): string {
  if (losses.length === 0) return stream;
  const frames = stream.split("\n\n");
  const end = frames.findLastIndex((frame) => END[inbound].test(frame));
  return [...frames.slice(0, end), `: attune-translation-loss: ${losses.join(", ")}`, ...frames.slice(end)].join(
    "\n\n",
  );
}

/** Model as the upstream of each kind is asked for it. */
export const UPSTREAM_MODEL: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "real-chat",
  "openai-responses": "real-responses",
  "anthropic-messages": "real-messages",
};
