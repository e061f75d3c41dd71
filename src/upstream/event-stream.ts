import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import { createSseReader, type SseReader } from "../wire/sse.ts";
import type { HttpAnswer } from "./http.ts";
import type { EventDecoder } from "./protocol.ts";
import type { AnswerFacts } from "./read-answer.ts";

/** What one read of the body brought. */
export interface EventBatch {
  readonly events: GenerateEvent[];
  /** What went wrong behind the events: what came before it in the same read still reaches the caller. */
  readonly failure?: InferenceError | undefined;
}

/** The events of an answer, one batch for each read of its body. */
export class EventStream {
  readonly #answer: HttpAnswer;
  readonly #facts: AnswerFacts;
  readonly #reader: SseReader = createSseReader();
  readonly #decoder: EventDecoder;
  #ended = false;

  /** Throws UPSTREAM_ERROR for an answer that is no stream. */
  constructor(decoder: EventDecoder, answer: HttpAnswer, facts: AnswerFacts) {
    checkContentType(answer);
    this.#answer = answer;
    this.#facts = facts;
    this.#decoder = decoder;
  }

  /** Returns the next batch; undefined after the last one. */
  async read(): Promise<EventBatch | undefined> {
    if (this.#ended) return undefined;
    const chunks = await readBody(this.#answer);
    const batch = this.#decode(chunks);
    const { events } = batch;
    markFacts(events, this.#facts);
    const isFinished = events.at(-1)?.event.case === "finished";
    this.#ended = chunks === undefined || isFinished;
    if (isFinished && batch.failure === undefined) this.#answer.drain();
    return batch;
  }

  #decode(chunks: readonly Uint8Array[] | undefined): EventBatch {
    const events: GenerateEvent[] = [];
    try {
      for (const chunk of chunks ?? []) {
        for (const message of this.#reader.read(chunk)) {
          for (const event of this.#decoder.decode(message)) events.push(event);
        }
      }
      if (chunks === undefined) for (const event of this.#decoder.close()) events.push(event);
      return { events };
    } catch (thrown) {
      return { events, failure: InferenceError.from(thrown) };
    }
  }
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
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, `the upstream answered '${type}' where a stream was asked for`, {
    upstreamStatus: answer.status,
  });
}
