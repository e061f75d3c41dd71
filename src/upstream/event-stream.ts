import { setImmediate as giveWay } from "node:timers/promises";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { EventDecoder } from "../formats/shared/protocol.ts";
import { createSseReader, MAX_EVENT_PIECES, type SseReader } from "../formats/shared/sse.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { EventLoopBudget } from "../lib/event-loop-budget.ts";
import { createAwsEventReader } from "./aws-event-reader.ts";
import { type AnswerLimits, checkMessage, tooMuch } from "./check-message.ts";
import type { HttpAnswer } from "./http.ts";
import { type AnswerFacts, checkEncoding } from "./read-answer.ts";
import { WholeBody } from "./whole-body.ts";

/** The events of one read of the body. */
interface EventBatch {
  readonly events: GenerateEvent[];
  /** The failure behind the events, which still reach the caller. */
  readonly failure?: InferenceError | undefined;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/;
const SAYS_NOTHING = /^(?:text\/plain|application\/octet-stream)\b/;

/** Events that are handed on in one piece; other work runs before what is left. */
const MOST_EVENTS = 4096;

/** All answers together have one. */
const share = new EventLoopBudget();

/** The events of an answer, whether it is a stream or comes whole: one batch for each read of its body. */
export class EventStream {
  readonly #answer: HttpAnswer;
  readonly #facts: AnswerFacts;
  /** Undefined before the first read of an answer that says that it is whole. */
  #body: StreamedBody | WholeBody | undefined;
  readonly #decoder: EventDecoder;
  readonly #limits: AnswerLimits;
  /** The rest of a large read. */
  #left: EventBatch | undefined;
  #ended = false;

  /** Throws UPSTREAM_ERROR for an answer that is neither a stream nor JSON. */
  constructor(decoder: EventDecoder, answer: HttpAnswer, { facts, limits, streamed }: StreamFacts) {
    checkEncoding(answer);
    this.#answer = answer;
    this.#facts = facts;
    this.#decoder = decoder;
    this.#limits = limits;
    const createReader = readerOf(answer, streamed);
    if (createReader !== undefined) this.#body = new StreamedBody(decoder, limits, createReader);
  }

  /** Returns the next batch; undefined after the last one. */
  async read(): Promise<EventBatch | undefined> {
    if (this.#left !== undefined) {
      await giveWay();
      await share.acquire();
      return this.#part(this.#left);
    }
    if (this.#ended) return undefined;
    const chunks = await readBody(this.#answer);
    const turn = share.acquire();
    if (turn !== undefined) await turn;
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
    const read = new ReadEvents();
    this.#body ??= beginsStream(chunks?.[0])
      ? new StreamedBody(this.#decoder, this.#limits, createSseReader)
      : new WholeBody(this.#decoder, this.#limits);
    const body = this.#body;
    try {
      for (const chunk of chunks ?? []) body.add(chunk, read);
      if (chunks === undefined) {
        if (body instanceof StreamedBody) body.addRest(read);
        read.add(body.end());
      }
      return { events: read.events };
    } catch (thrown) {
      return { events: read.events, failure: InferenceError.fromUpstream(thrown) };
    }
  }
}

/** Gateways call a stream JSON (openclaw#96497, sub2api#2826), which never begins as its lines do. */
function beginsStream(chunk: Uint8Array | undefined): boolean {
  return (
    chunk !== undefined && /^\s*(?:data|event|id|retry)?:/.test(Buffer.from(chunk.subarray(0, 32)).toString("latin1"))
  );
}

/** The events of one read. Those of the first message are not copied: most reads bring one. */
class ReadEvents {
  events: GenerateEvent[] = [];

  add(events: GenerateEvent[]): void {
    if (this.events.length === 0) this.events = events;
    else for (const event of events) this.events.push(event);
  }
}

/** Reads the events of a stream as they come. */
class StreamedBody {
  readonly #decoder: EventDecoder;
  readonly #limits: AnswerLimits;
  readonly #reader: SseReader;
  #bytes = 0;

  constructor(decoder: EventDecoder, limits: AnswerLimits, createReader: typeof createSseReader) {
    this.#decoder = decoder;
    this.#limits = limits;
    this.#reader = createReader(limits.eventBytes);
  }

  add(chunk: Uint8Array, read: ReadEvents): void {
    const { answerBytes, eventBytes } = this.#limits;
    this.#bytes += chunk.length;
    for (const message of this.#reader.read(chunk)) {
      checkMessage(message.data, "an event", this.#limits);
      read.add(this.#decoder.decode(message));
    }
    const { excess } = this.#reader;
    if (excess === "characters") throw tooMuch("an event", `${eventBytes} bytes`, "eventBytes");
    if (excess === "pieces") throw inPieces();
    if (this.#bytes > answerBytes) throw tooMuch("an answer", `${answerBytes} bytes`, "answerBytes");
  }

  /** Reads what the end of the stream leaves: LitServe sends no blank line after an error. */
  addRest(read: ReadEvents): void {
    for (const message of this.#reader.end()) {
      if (message.data !== "[DONE]" && !isWholeJson(message.data)) continue;
      checkMessage(message.data, "an event", this.#limits);
      read.add(this.#decoder.decode(message));
    }
  }

  end(): GenerateEvent[] {
    return this.#decoder.close();
  }
}

/** A frame that a broken connection has cut is no event. */
function isWholeJson(data: string): boolean {
  try {
    return typeof JSON.parse(data) === "object";
  } catch {
    return false;
  }
}

function inPieces(): InferenceError {
  const message = `the upstream sent an event in more than ${MAX_EVENT_PIECES} lines or pieces`;
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
}

/** The facts of a stream beside its body. */
interface StreamFacts {
  readonly facts: AnswerFacts;
  readonly limits: AnswerLimits;
  /** True if the upstream was asked for a stream: what an answer is taken for that does not say what it is. */
  readonly streamed: boolean;
}

/** A connection that breaks inside the body is an interrupted stream, not an upstream that cannot be reached. */
async function readBody(answer: HttpAnswer): Promise<Uint8Array[] | undefined> {
  try {
    return await answer.read();
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    if (error.reason !== ErrorReason.UPSTREAM_UNREACHABLE) throw error;
    throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream interrupted its answer", { cause: error });
  }
}

function markFacts(events: readonly GenerateEvent[], { upstreamRequestId, upstreamHeaders }: AnswerFacts): void {
  const first = events[0]?.event;
  const serving = first?.case === "started" ? first.value.serving : undefined;
  if (serving === undefined) return;
  if (upstreamRequestId !== "") serving.upstreamRequestId = upstreamRequestId;
  serving.upstreamHeaders = { ...upstreamHeaders };
}

/**
 * Returns what reads the events of a stream; undefined for an answer that comes whole. Servers exist that stream, or do
 * not, whatever they are asked for: what counts is what the answer says it is.
 */
function readerOf({ headers, status }: HttpAnswer, streamed: boolean): typeof createSseReader | undefined {
  const type = String(headers["content-type"] ?? "").toLowerCase();
  // Files and scripts behind a web server say this of JSON and of streams. What was paid for is read, if it can be.
  if (type === "" || SAYS_NOTHING.test(type)) return streamed ? createSseReader : undefined;
  if (type.startsWith("text/event-stream")) return createSseReader;
  if (type.startsWith("application/vnd.amazon.eventstream")) return createAwsEventReader;
  if (JSON_TYPE.test(type)) return undefined;
  const message = `the upstream answered '${type.slice(0, 128)}', which is neither JSON nor a stream of events`;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { upstreamStatus: status });
}
