import { setImmediate as giveWay } from "node:timers/promises";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import { type JsonLimits, scanJson } from "../wire/scan-json.ts";
import { createSseReader, type SseMessage, type SseReader } from "../wire/sse.ts";
import type { HttpAnswer } from "./http.ts";
import type { EventDecoder } from "./protocol.ts";
import { type AnswerFacts, checkEncoding } from "./read-answer.ts";

/** Most that an answer may have. */
export interface AnswerLimits {
  /** Bytes of one event, or of one of its lines. */
  readonly eventBytes: number;
  /** Values of one event: members of objects and items of arrays. */
  readonly eventValues: number;
  /** Bytes of the whole body. */
  readonly answerBytes: number;
}

/** What one read of the body brought. */
export interface EventBatch {
  readonly events: GenerateEvent[];
  /** What went wrong behind the events: what came before it in the same read still reaches the caller. */
  readonly failure?: InferenceError | undefined;
}

/** Levels of nested objects and arrays of one event. What reads them calls itself for each. */
const EVENT_DEPTH = 1024;

/** A shorter event cannot be nested so deep, nor have too many values: nearly every one is, and is not looked at. */
const LOOKED_AT = 2 * EVENT_DEPTH;

/** Events that are handed on in one piece; others get a turn before what is left. */
const MOST_EVENTS = 4096;

/** The events of an answer, one batch for each read of its body. */
export class EventStream {
  readonly #answer: HttpAnswer;
  readonly #facts: AnswerFacts;
  readonly #limits: AnswerLimits;
  readonly #jsonLimits: JsonLimits;
  readonly #reader: SseReader;
  readonly #decoder: EventDecoder;
  #bytes = 0;
  /** What is left of a read that brought much. */
  #left: EventBatch | undefined;
  #ended = false;

  /** Throws UPSTREAM_ERROR for an answer that is no stream. */
  constructor(decoder: EventDecoder, answer: HttpAnswer, { facts, limits }: StreamFacts) {
    checkContentType(answer);
    checkEncoding(answer);
    this.#answer = answer;
    this.#facts = facts;
    this.#limits = limits;
    this.#jsonLimits = { jsonDepth: EVENT_DEPTH, jsonValues: limits.eventValues };
    this.#reader = createSseReader(limits.eventBytes);
    this.#decoder = decoder;
  }

  /** Returns the next batch; undefined after the last one. */
  async read(): Promise<EventBatch | undefined> {
    if (this.#left !== undefined) {
      await giveWay();
      return this.#part(this.#left);
    }
    if (this.#ended) return undefined;
    const chunks = await readBody(this.#answer);
    const batch = this.#decode(chunks);
    const { events } = batch;
    markFacts(events, this.#facts);
    const isFinished = events.at(-1)?.event.case === "finished";
    this.#ended = chunks === undefined || isFinished || batch.failure !== undefined;
    if (isFinished && batch.failure === undefined) this.#answer.drain();
    return this.#part(batch);
  }

  #part({ events, failure }: EventBatch): EventBatch {
    if (events.length <= MOST_EVENTS) {
      this.#left = undefined;
      return { events, failure };
    }
    this.#left = { events: events.slice(MOST_EVENTS), failure };
    return { events: events.slice(0, MOST_EVENTS) };
  }

  #decode(chunks: readonly Uint8Array[] | undefined): EventBatch {
    const events: GenerateEvent[] = [];
    try {
      for (const chunk of chunks ?? []) this.#decodeChunk(chunk, events);
      if (chunks === undefined) for (const event of this.#decoder.close()) events.push(event);
      return { events };
    } catch (thrown) {
      return { events, failure: InferenceError.fromUpstream(thrown) };
    }
  }

  #decodeChunk(chunk: Uint8Array, events: GenerateEvent[]): void {
    const { answerBytes, eventBytes } = this.#limits;
    this.#bytes += chunk.length;
    for (const message of this.#reader.read(chunk)) {
      this.#check(message);
      for (const event of this.#decoder.decode(message)) events.push(event);
    }
    if (this.#reader.isOverfull) throw tooMuch("an event", `${eventBytes} bytes`, "eventBytes");
    if (this.#bytes > answerBytes) throw tooMuch("an answer", `${answerBytes} bytes`, "answerBytes");
  }

  #check({ data }: SseMessage): void {
    if (data.length <= LOOKED_AT) return;
    const { eventBytes, eventValues } = this.#limits;
    if (data.length > eventBytes) throw tooMuch("an event", `${eventBytes} bytes`, "eventBytes");
    const exceeded = scanJson(data, this.#jsonLimits);
    if (exceeded === "jsonValues") throw tooMuch("an event", `${eventValues} values`, "eventValues");
    if (exceeded === "jsonDepth") throw broken(`an event is nested deeper than ${EVENT_DEPTH} levels`);
  }
}

/** What is known of a stream beside its body. */
export interface StreamFacts {
  readonly facts: AnswerFacts;
  readonly limits: AnswerLimits;
}

function tooMuch(what: string, most: string, limit: keyof AnswerLimits): InferenceError {
  const message = `the upstream sent ${what} of more than ${most}, the most that its limits.${limit} allows`;
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
}

function broken(problem: string): InferenceError {
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, `the upstream's stream is broken: ${problem}`);
}

/** A connection that breaks inside the body is an interrupted stream, not an upstream that cannot be reached. */
async function readBody(answer: HttpAnswer): Promise<Uint8Array[] | undefined> {
  try {
    return await answer.read();
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    if (error.reason !== ErrorReason.UPSTREAM_UNREACHABLE) throw error;
    throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream broke off its answer", { cause: error });
  }
}

function markFacts(events: readonly GenerateEvent[], { upstreamRequestId, upstreamHeaders }: AnswerFacts): void {
  const first = events[0]?.event;
  const serving = first?.case === "started" ? first.value.serving : undefined;
  if (serving === undefined) return;
  if (upstreamRequestId !== "") serving.upstreamRequestId = upstreamRequestId;
  serving.upstreamHeaders = { ...upstreamHeaders };
}

function checkContentType(answer: HttpAnswer): void {
  const type = String(answer.headers["content-type"] ?? "");
  if (type === "" || type.startsWith("text/event-stream")) return;
  throw new InferenceError(
    ErrorReason.UPSTREAM_ERROR,
    `the upstream answered '${type.slice(0, 128)}' where a stream was asked for`,
    { upstreamStatus: answer.status },
  );
}
