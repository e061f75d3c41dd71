import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { EventSink } from "../../hub/upstream.ts";
import type { InferenceRun } from "../run/inference-run.ts";
import { eventBytes } from "./event-bytes.ts";

/** The bounds and callbacks of a shared call. */
interface SharedCallHost {
  /** Bytes that its events may take. */
  readonly callBytes: number;
  /** Bytes more are held, or less. */
  hold(bytes: number): void;
  /** Returns whether all calls together hold more than they may. */
  isFull(): boolean;
  /** Nobody may join it any more. */
  close(): void;
}

/** Events that came at once. */
interface Batch {
  readonly events: GenerateEvent[];
  readonly bytes: number;
}

/** The part of what a call may hold for which nobody is left behind, however much the others hold. */
const SPARED = 1 / 16;

/** A reader of a shared answer. */
interface Reader {
  readonly sink: EventSink;
  /** Number of the batch that it gets next. */
  next: number;
  /** True if it has yet to take what it got. */
  isBusy: boolean;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * One call of an upstream and those who read its answer, each at a pace of its own: from the first event, whenever they
 * come. The upstream waits only while all of them do. Events are kept while somebody may need them; where they take
 * more room than they may, nobody joins any more, and then readers are left behind, the slowest first.
 */
export class SharedCall {
  /** The inference whose attempts are made. */
  readonly leader: InferenceRun;
  readonly #host: SharedCallHost;
  readonly #stop = new AbortController();
  readonly #readers = new Set<Reader>();
  readonly #batches: Batch[] = [];
  /** Batches that are not kept any more. */
  #dropped = 0;
  #bytes = 0;
  #busy = 0;
  #isClosed = false;
  #end: { readonly error: InferenceError | undefined } | undefined;
  /** Resolves when a reader wants more. */
  #wanted: PromiseWithResolvers<void> | undefined;

  constructor(leader: InferenceRun, host: SharedCallHost) {
    this.leader = leader;
    this.#host = host;
  }

  /** Aborts when nobody reads any more. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Returns whether somebody reads the answer. */
  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  /**
   * Hands the answer to the sink, from its beginning; resolves at its end. Throws the InferenceError that ended it or
   * that the signal was aborted with, or what the sink throws.
   */
  async join(sink: EventSink, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw InferenceError.fromAbort(signal);
    const reader: Reader = { sink, next: this.#dropped, isBusy: false, done: Promise.withResolvers() };
    const leave = (): void => this.#lose(reader, InferenceError.fromAbort(signal));
    signal.addEventListener("abort", leave, { once: true });
    this.#readers.add(reader);
    this.#pump(reader);
    this.#ask();
    try {
      await reader.done.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Takes what the upstream sent; a promise makes it wait. */
  take(events: GenerateEvent[]): void | Promise<void> {
    if (this.#readers.size === 0) return;
    const bytes = eventBytes(events);
    this.#batches.push({ events, bytes });
    this.#hold(bytes);
    for (const reader of this.#readers) this.#pump(reader);
    this.#keepWithinLimits();
    if (this.#readers.size === 0 || this.#busy < this.#readers.size) return;
    this.#wanted = Promise.withResolvers();
    return this.#wanted.promise;
  }

  /** The call has ended, with an error or with the answer's end. */
  end(error?: InferenceError): void {
    this.#end = { error };
    this.#close();
    for (const reader of this.#readers) this.#pump(reader);
    this.#trim();
  }

  /** Gives a reader what it has not had, until it has to take that first. */
  #pump(reader: Reader): void {
    while (!reader.isBusy && this.#readers.has(reader)) {
      const batch = this.#batches[reader.next - this.#dropped];
      if (batch === undefined) {
        if (this.#end !== undefined) this.#lose(reader, this.#end.error);
        return;
      }
      reader.next += 1;
      this.#give(reader, batch.events);
    }
  }

  #give(reader: Reader, events: GenerateEvent[]): void {
    try {
      const lag = reader.sink(events);
      if (lag === undefined) return;
      reader.isBusy = true;
      this.#busy += 1;
      lag.then(
        () => this.#took(reader),
        (thrown) => this.#lose(reader, thrown),
      );
    } catch (thrown) {
      this.#lose(reader, thrown);
    }
  }

  #took(reader: Reader): void {
    if (!this.#readers.has(reader)) return;
    reader.isBusy = false;
    this.#busy -= 1;
    this.#pump(reader);
    this.#trim();
    this.#ask();
  }

  /** A reader has all that it gets: `thrown` is why there is no more, undefined where the answer has ended. */
  #lose(reader: Reader, thrown: unknown): void {
    if (!this.#readers.delete(reader)) return;
    if (reader.isBusy) this.#busy -= 1;
    if (thrown === undefined) reader.done.resolve();
    else reader.done.reject(thrown);
    if (this.#readers.size === 0) {
      this.#close();
      if (this.#end === undefined) this.#stop.abort(thrown);
    }
    this.#trim();
    this.#ask();
  }

  /** Has the upstream go on where somebody wants more, or nobody wants anything. */
  #ask(): void {
    if (this.#readers.size > 0 && this.#busy === this.#readers.size) return;
    this.#wanted?.resolve();
    this.#wanted = undefined;
  }

  #keepWithinLimits(): void {
    const { callBytes } = this.#host;
    if (this.#bytes <= callBytes && !this.#host.isFull()) return;
    this.#close();
    this.#trim();
    const isOver = (): boolean => this.#bytes > (this.#host.isFull() ? callBytes * SPARED : callBytes);
    for (let slowest = this.#slowest(); isOver() && slowest !== undefined; slowest = this.#slowest()) {
      this.#lose(slowest, leftBehind());
    }
  }

  /** The one that holds on to most events; undefined where all have had all of them. */
  #slowest(): Reader | undefined {
    let slowest: Reader | undefined;
    for (const reader of this.#readers) if (reader.next < (slowest?.next ?? this.#last)) slowest = reader;
    return slowest;
  }

  /** Number of the batch that comes next. */
  get #last(): number {
    return this.#dropped + this.#batches.length;
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#host.close();
  }

  /** Lets go of what everybody has had, once nobody may join. */
  #trim(): void {
    if (!this.#isClosed) return;
    const had = (this.#slowest()?.next ?? this.#last) - this.#dropped;
    if (had === 0) return;
    this.#dropped += had;
    for (const { bytes } of this.#batches.splice(0, had)) this.#hold(-bytes);
  }

  #hold(bytes: number): void {
    this.#bytes += bytes;
    this.#host.hold(bytes);
  }
}

/** Returns the error of a reader that the others cannot wait for. */
function leftBehind(): InferenceError {
  const message =
    "the answer was read too slowly to share it with identical requests: send the request again, or with " +
    "'attune-optimize: off'";
  return new InferenceError(ErrorReason.UNAVAILABLE, message);
}
