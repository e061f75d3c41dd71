import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { startedEvent } from "../../hub/events.ts";
import type { BackgroundEntry } from "./ports.ts";

/** Events that a reader gets at a time. */
const BATCH = 256;

/**
 * An answer that is made in the background by this process: whoever reads it gets all its events, whenever they come.
 */
export class LiveAnswer {
  readonly entry: BackgroundEntry;
  readonly #events: GenerateEvent[];
  readonly #stop = new AbortController();
  #end: { readonly error: InferenceError | undefined } | undefined;
  /** Resolves when something comes; made anew each time. */
  #news = Promise.withResolvers<void>();

  constructor(entry: BackgroundEntry) {
    this.entry = entry;
    const { id, input, startedAt } = entry;
    // Its callers know its id from now on. Who serves it is told by a second event of this kind.
    this.#events = [startedEvent({ id, model: input.model, createdAt: timestampFromDate(startedAt) })];
  }

  /** Aborts when it is to be broken off. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Takes events. Readers may lag: what the answer may have is limited, and so is the number of answers. */
  take(events: readonly GenerateEvent[]): void {
    this.#events.push(...events);
    this.#tell();
  }

  end(error: InferenceError | undefined): void {
    this.#end = { error };
    this.#tell();
  }

  /** Breaks it off; it ends a little later. */
  breakOff(reason: InferenceError): void {
    this.#stop.abort(reason);
  }

  /** Resolves once it has ended, or when the time is over. */
  async ended(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!this.isEnded && performance.now() < deadline) await this.#next(deadline - performance.now());
  }

  /** Reads it from its beginning to its end. Throws what it failed with, or the signal's reason. */
  async *read(signal: AbortSignal): AsyncGenerator<GenerateEvent[]> {
    const leave = (): void => this.#tell();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for (let at = 0; ; ) {
        if (signal.aborted) throw InferenceError.fromAbort(signal);
        if (at < this.#events.length) {
          const batch = this.#events.slice(at, at + BATCH);
          at += batch.length;
          yield batch;
        } else if (this.#end === undefined) await this.#news.promise;
        else if (this.#end.error !== undefined) throw this.#end.error;
        else return;
      }
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  async #next(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    await Promise.race([this.#news.promise, promise]).finally(() => clearTimeout(timer));
  }

  #tell(): void {
    const told = this.#news;
    this.#news = Promise.withResolvers();
    told.resolve();
  }
}
