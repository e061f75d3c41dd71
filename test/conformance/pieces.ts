/**
 * Writes out the parts of answers that hold reasoning and refusals: what a caller of each format sees of a block. Every
 * text is written by hand from the formats' documentation, as in `expected.ts`.
 */
import type { ExpectedUsage } from "./expected.ts";
import {
  byKey,
  INBOUND,
  type Inbound,
  type Route,
  type Topic,
  UPSTREAM_KINDS,
  UPSTREAM_MODEL,
  type UpstreamKind,
} from "./topic.ts";

/** An event of a Responses stream, as `responsesStream` takes it. */
export type ResponsesEvent = readonly [type: string, members: string];

/** An output item of a Response: as it ends, and the events that make it. */
export interface ExpectedItem {
  readonly item: string;
  readonly events: readonly ResponsesEvent[];
}

/** An item that is added, grows by `events`, and is done. */
function grown(
  index: number,
  [added, item]: readonly [string, string],
  events: readonly ResponsesEvent[],
): ExpectedItem {
  return {
    item,
    events: [
      ["response.output_item.added", `"output_index":${index},"item":${added}`],
      ...events,
      ["response.output_item.done", `"output_index":${index},"item":${item}`],
    ],
  };
}

/** Reasoning without text, whose encrypted form is all there is. */
export function encryptedItem(id: string, blob: string): ExpectedItem {
  const head = `"id":"${id}","type":"reasoning","summary":[]`;
  return grown(0, [`{${head}}`, `{${head},"encrypted_content":"${blob}"}`], []);
}

/** Reasoning with a summary of one part that comes in two pieces. */
export function summaryItem(id: string, [first, second]: readonly [string, string], blob: string): ExpectedItem {
  const head = `"id":"${id}","type":"reasoning"`;
  const place = `"item_id":"${id}","output_index":0,"summary_index":0`;
  const part = (text: string): string => `{"type":"summary_text","text":"${text}"}`;
  const whole = first + second;
  return grown(
    0,
    [`{${head},"summary":[]}`, `{${head},"summary":[${part(whole)}],"encrypted_content":"${blob}"}`],
    [
      ["response.reasoning_summary_part.added", `${place},"part":${part("")}`],
      ["response.reasoning_summary_text.delta", `${place},"delta":"${first}"`],
      ["response.reasoning_summary_text.delta", `${place},"delta":"${second}"`],
      ["response.reasoning_summary_text.done", `${place},"text":"${whole}"`],
      ["response.reasoning_summary_part.done", `${place},"part":${part(whole)}`],
    ],
  );
}

/** Raw reasoning that comes in two pieces, encrypted as `blob`. */
export function rawReasoningItem(id: string, [first, second]: readonly [string, string], blob: string): ExpectedItem {
  const head = `"id":"${id}","type":"reasoning","summary":[]`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const part = (text: string): string => `{"type":"reasoning_text","text":"${text}"}`;
  const whole = first + second;
  return grown(
    0,
    [`{${head}}`, `{${head},"content":[${part(whole)}],"encrypted_content":"${blob}"}`],
    [
      ["response.content_part.added", `${place},"part":${part("")}`],
      ["response.reasoning_text.delta", `${place},"delta":"${first}"`],
      ["response.reasoning_text.delta", `${place},"delta":"${second}"`],
      ["response.reasoning_text.done", `${place},"text":"${whole}"`],
      ["response.content_part.done", `${place},"part":${part(whole)}`],
    ],
  );
}

/** Where a message item stands, and how it ends. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
  /** `completed` where it is not given. */
  readonly status?: string;
}

/** A message whose text comes in these pieces. */
export function textItem({ id, index, status = "completed" }: ItemPlace, ...pieces: readonly string[]): ExpectedItem {
  const head = (phase: string): string => `"id":"${id}","type":"message","role":"assistant","status":"${phase}"`;
  const place = `"item_id":"${id}","output_index":${index},"content_index":0`;
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
  const whole = pieces.join("");
  return grown(
    index,
    [`{${head("in_progress")},"content":[]}`, `{${head(status)},"content":[${part(whole)}]}`],
    [
      ["response.content_part.added", `${place},"part":${part("")}`],
      ...pieces.map(
        (text): ResponsesEvent => ["response.output_text.delta", `${place},"delta":"${text}","logprobs":[]`],
      ),
      ["response.output_text.done", `${place},"text":"${whole}","logprobs":[]`],
      ["response.content_part.done", `${place},"part":${part(whole)}`],
    ],
  );
}

/** A message that is a refusal in these pieces. */
export function refusalItem(id: string, pieces: readonly string[]): ExpectedItem {
  const head = (phase: string): string => `"id":"${id}","type":"message","role":"assistant","status":"${phase}"`;
  const place = `"item_id":"${id}","output_index":0,"content_index":0`;
  const part = (text: string): string => `{"type":"refusal","refusal":"${text}"}`;
  const whole = pieces.join("");
  return grown(
    0,
    [`{${head("in_progress")},"content":[]}`, `{${head("completed")},"content":[${part(whole)}]}`],
    [
      ["response.content_part.added", `${place},"part":${part("")}`],
      ...pieces.map((text): ResponsesEvent => ["response.refusal.delta", `${place},"delta":"${text}"`]),
      ["response.refusal.done", `${place},"refusal":"${whole}"`],
      ["response.content_part.done", `${place},"part":${part(whole)}`],
    ],
  );
}

/** A message whose text comes in these pieces, and is cut off by a refusal. */
export function cutItem(
  { id, index, status = "completed" }: ItemPlace,
  pieces: readonly string[],
  why: string,
): ExpectedItem {
  const head = (phase: string): string => `"id":"${id}","type":"message","role":"assistant","status":"${phase}"`;
  const place = (part: number): string => `"item_id":"${id}","output_index":${index},"content_index":${part}`;
  const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
  const refusal = (text: string): string => `{"type":"refusal","refusal":"${text}"}`;
  const whole = pieces.join("");
  return grown(
    index,
    [`{${head("in_progress")},"content":[]}`, `{${head(status)},"content":[${part(whole)},${refusal(why)}]}`],
    [
      ["response.content_part.added", `${place(0)},"part":${part("")}`],
      ...pieces.map(
        (text): ResponsesEvent => ["response.output_text.delta", `${place(0)},"delta":"${text}","logprobs":[]`],
      ),
      ["response.output_text.done", `${place(0)},"text":"${whole}","logprobs":[]`],
      ["response.content_part.done", `${place(0)},"part":${part(whole)}`],
      ["response.content_part.added", `${place(1)},"part":${refusal("")}`],
      ["response.refusal.delta", `${place(1)},"delta":"${why}"`],
      ["response.refusal.done", `${place(1)},"refusal":"${why}"`],
      ["response.content_part.done", `${place(1)},"part":${refusal(why)}`],
    ],
  );
}

/** The frames of one block of a Messages stream. */
export function blockFrames(index: number, start: string, ...deltas: readonly string[]): string[] {
  return [
    `{"type":"content_block_start","index":${index},"content_block":${start}}`,
    ...deltas.map((delta) => `{"type":"content_block_delta","index":${index},"delta":${delta}}`),
    `{"type":"content_block_stop","index":${index}}`,
  ];
}

/** The frames of a text in a Messages stream. */
export function textFrames(index: number, ...pieces: readonly string[]): string[] {
  const deltas = pieces.map((text) => `{"type":"text_delta","text":"${text}"}`);
  return blockFrames(index, '{"type":"text","text":""}', ...deltas);
}

/** The frames of thinking in a Messages stream; no signature is told where there is none. */
export function thinkingFrames(index: number, pieces: readonly string[], signature?: string): string[] {
  const deltas = pieces.map((text) => `{"type":"thinking_delta","thinking":"${text}"}`);
  const signed = signature === undefined ? [] : [`{"type":"signature_delta","signature":"${signature}"}`];
  return blockFrames(index, '{"type":"thinking","thinking":"","signature":""}', ...deltas, ...signed);
}

/** Usage that the first event of a Messages stream tells. */
export function startUsage(kind: UpstreamKind): ExpectedUsage {
  return kind === "anthropic-messages" ? { input: 9, output: 1 } : { input: 0, output: 0 };
}

/** A request as an upstream receives it. `members` are those between the model and `stream`; `last` those behind. */
export function received(kind: UpstreamKind, members: string, last = ""): string {
  const usage = kind === "openai-chat" ? ',"stream_options":{"include_usage":true}' : "";
  return `{"model":"${UPSTREAM_MODEL[kind]}",${members},"stream":true${usage}${last}}`;
}

/** What a route is made of beside its answer. */
export interface Asked {
  readonly upstreamReceives: string;
  readonly losses?: readonly string[];
  readonly answerLosses?: readonly string[];
}

/** Nine of something. */
export type Nine<Value> = Readonly<Record<Inbound, Readonly<Record<UpstreamKind, Value>>>>;

/** Makes the routes of a topic from what is asked on each and what a caller of each format is answered. */
export function routesOf(
  asked: Nine<Asked>,
  answers: Readonly<Record<Inbound, (kind: UpstreamKind) => { readonly answer: string; readonly stream: string }>>,
): Topic["routes"] {
  const route = (inbound: Inbound, kind: UpstreamKind): Route => {
    const { upstreamReceives, losses = [], answerLosses = [] } = asked[inbound][kind];
    return { ...answers[inbound](kind), upstreamReceives, losses, answerLosses };
  };
  return byKey(INBOUND, (inbound) => byKey(UPSTREAM_KINDS, (kind) => route(inbound, kind)));
}
