import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  BlockDeltaSchema,
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  GenerateResponseSchema,
  type InferenceInput,
  InferenceInputSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { blockStartEvent } from "../hub/events.ts";
import { encodeMessage } from "../lib/protobuf/encode-message.ts";

/** Bytes of a part of what is longer than one message. */
const PART_BYTES = 2 ** 20;
/** Characters of a piece of a text that is longer than one message: a character has 3 bytes at most. */
const PIECE_CHARACTERS = PART_BYTES / 4;
/** Bytes of an inference that begins, beside those of its input. */
const ANSWER_BYTES = 4096;
/** Bytes of an event beside its text. */
const EVENT_BYTES = 64;

/** Yields the bytes of a message in parts that every client takes. */
export function* splitMessage<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): Generator<{ part: Uint8Array }> {
  const bytes = encodeMessage(schema, message);
  for (let from = 0; from < bytes.length; from += PART_BYTES) yield { part: bytes.subarray(from, from + PART_BYTES) };
}

/** Tells whether an inference can be read back. */
type IsStored = (id: string) => Promise<boolean>;

/**
 * Throws INVALID_REQUEST, with the id, for an answer that its caller does not take and can read in parts. One that is
 * not stored is sent: its caller may take more than it says.
 */
export async function checkAnswerLength(answer: GenerateResponse, limit: number, isStored: IsStored): Promise<void> {
  if (limit === Number.POSITIVE_INFINITY) return;
  const bytes = encodeMessage(GenerateResponseSchema, answer).length;
  if (bytes > limit && (await isStored(answer.id))) throw tooLong("the answer", { bytes, limit, id: answer.id });
}

/** Throws INVALID_REQUEST for a request that an answer which repeats it cannot carry. */
export function checkInputLength(input: InferenceInput, limit: number): void {
  if (limit === Number.POSITIVE_INFINITY) return;
  const bytes = encodeMessage(InferenceInputSchema, input).length;
  if (bytes + ANSWER_BYTES <= limit) return;
  const message =
    `input: has ${bytes} bytes, and the answer, which repeats it, may have ${limit}: say in 'max_answer_bytes' what ` +
    "your client takes, or call StreamGenerate";
  throw new InferenceError(ErrorReason.INVALID_REQUEST, message, { param: "input" });
}

/**
 * Hands on the events of an answer in messages that its caller takes: many in several, and a text in pieces. From a
 * longer event on they wait for the end: then it throws INVALID_REQUEST, with the id, if they can be read in parts.
 */
export async function* splitEvents(
  answer: AsyncIterable<GenerateEvent[]>,
  limit: number,
  isStored: IsStored,
): AsyncGenerator<GenerateEvent[]> {
  if (limit === Number.POSITIVE_INFINITY) return yield* answer;
  const held: GenerateEvent[][] = [];
  let [id, longest] = ["", 0];
  for await (const events of answer) {
    if (events[0]?.event.case === "started") ({ id } = events[0].event.value);
    for (const { message, bytes } of fitEvents(events, limit)) {
      longest = Math.max(longest, bytes);
      if (longest > limit) held.push(message);
      else yield message;
    }
  }
  if (held.length > 0 && (await isStored(id))) throw tooLong("a part of the answer", { bytes: longest, limit, id });
  yield* held;
}

/** Yields the events in messages of up to `limit` bytes; one that is longer has a message of its own. */
function* fitEvents(events: GenerateEvent[], limit: number): Generator<{ message: GenerateEvent[]; bytes: number }> {
  let message: GenerateEvent[] = [];
  let bytes = 0;
  for (const event of events.flatMap((each) => splitText(each, limit))) {
    const more = countBytes(event);
    if (message.length > 0 && bytes + more > limit) {
      yield { message, bytes };
      message = [];
      bytes = 0;
    }
    message.push(event);
    bytes += more;
  }
  if (message.length > 0) yield { message, bytes };
}

/** Returns the bytes of an event, or for a short text the most that it can have. */
function countBytes(event: GenerateEvent): number {
  const text = getText(event);
  if (text !== undefined && text.length < PIECE_CHARACTERS) return EVENT_BYTES + 3 * text.length;
  return EVENT_BYTES + encodeMessage(GenerateEventSchema, event).length;
}

/** Returns the text of an event that holds nothing else. */
function getText({ event }: GenerateEvent): string | undefined {
  if (event.case !== "blockDelta" || event.value.logprobs !== undefined || event.value.extension !== undefined) return;
  const { delta } = event.value;
  return delta.case === "text" || delta.case === "arguments" || delta.case === "thinking" ? delta.value : undefined;
}

function splitText(event: GenerateEvent, limit: number): GenerateEvent[] {
  const fits = (text: string): boolean => 3 * text.length + EVENT_BYTES <= limit;
  const { case: kind, value } = event.event;
  if (kind === "blockStart" && value.block?.kind.case === "text" && !fits(value.block.kind.value.text)) {
    // A stored answer that is streamed again has its texts at their beginnings.
    const { index, block } = value;
    const { text, ...others } = value.block.kind.value;
    const begun = create(ContentBlockSchema, { ...block, kind: { case: "text", value: { ...others, text: "" } } });
    return [blockStartEvent(index, begun), ...splitDelta(index, { case: "text", value: text }, limit)];
  }
  const text = getText(event);
  if (text === undefined || fits(text) || kind !== "blockDelta") return [event];
  return splitDelta(value.index, value.delta, limit);
}

function splitDelta(index: number, { case: kind, value: text }: BlockDelta["delta"], limit: number): GenerateEvent[] {
  if (kind !== "text" && kind !== "arguments" && kind !== "thinking") return [];
  const size = Math.max(2, Math.min(PIECE_CHARACTERS, Math.floor((limit - EVENT_BYTES) / 3)));
  const pieces: GenerateEvent[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(text.length, from + size);
    // Both halves of a surrogate pair stay together: each alone would be written as U+FFFD.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    const value = create(BlockDeltaSchema, { index, delta: { case: kind, value: text.slice(from, to) } });
    pieces.push(create(GenerateEventSchema, { event: { case: "blockDelta", value } }));
  }
  return pieces;
}

function tooLong(what: string, { bytes, limit, id }: { bytes: number; limit: number; id: string }): InferenceError {
  const message =
    `${what} has ${bytes} bytes, more than the ${limit} that the caller accepts as one message, and is stored: read it ` +
    `by ReadInference with the id '${id}', or say in 'max_answer_bytes' what your client accepts`;
  return new InferenceError(ErrorReason.INVALID_REQUEST, message, { param: "max_answer_bytes", inferenceId: id });
}
