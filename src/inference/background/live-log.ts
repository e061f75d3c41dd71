import { InferenceError } from "../../hub/error.ts";

/** Items that a reader gets at a time. */
const BATCH = 256;

/** A log that grows until it ends: whoever reads it gets all of its items, whenever they come. */
export class LiveLog<Item> {
  readonly #items: Item[];
  #end: { readonly error: InferenceError | undefined } | undefined;
  #readers = 0;
  /** Resolves when something comes; made anew each time. */
  #news = Promise.withResolvers<void>();

  constructor(first: readonly Item[] = []) {
    this.#items = [...first];
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  get isRead(): boolean {
    return this.#readers > 0;
  }

  /** Takes items. Readers may lag: what an answer may have is limited, and so is the number of answers. */
  take(items: readonly Item[]): void {
    for (const item of items) this.#items.push(item);
    this.#tell();
  }

  end(error: InferenceError | undefined): void {
    this.#end = { error };
    this.#tell();
  }

  /** Resolves once it has ended, or when the time is over. */
  async ended(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!this.isEnded && performance.now() < deadline) await this.#next(deadline - performance.now());
  }

  /** Reads it from its beginning to its end. Throws what it failed with, or the signal's reason. */
  async *read(signal: AbortSignal): AsyncGenerator<Item[]> {
    const leave = (): void => this.#tell();
    signal.addEventListener("abort", leave, { once: true });
    this.#readers += 1;
    try {
      for (let at = 0; ; ) {
        if (signal.aborted) throw InferenceError.fromAbort(signal);
        if (at < this.#items.length) {
          const batch = this.#items.slice(at, at + BATCH);
          at += batch.length;
          yield batch;
        } else if (this.#end === undefined) await this.#news.promise;
        else if (this.#end.error !== undefined) throw this.#end.error;
        else return;
      }
    } finally {
      this.#readers -= 1;
      signal.removeEventListener("abort", leave);
    }
  }

  async #next(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    await Promise.race([this.#news.promise, promise]).finally(() => clearTimeout(timer));
  }

  #tell(): void {
    const news = this.#news;
    this.#news = Promise.withResolvers();
    news.resolve();
  }
}
