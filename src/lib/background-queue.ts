/** The options of a background queue. */
interface BackgroundQueueOptions {
  /** Works that run at a time. */
  readonly concurrency: number;
  /** Works that wait at most, and what they may weigh together; one that weighs more waits alone. */
  readonly mostWaiting: number;
  readonly mostWeight: number;
  /** The limit of one work. */
  readonly timeoutMs: number;
  /** A work has failed, other than by close(). */
  readonly onFailure: (error: unknown) => void;
}

interface Waiting {
  readonly weight: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Works that nobody waits for, a few at a time and within bounds. */
export class BackgroundQueue {
  readonly #options: BackgroundQueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: BackgroundQueueOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Returns whether one more work of this weight may wait. */
  hasRoom(weight: number): boolean {
    const { mostWaiting, mostWeight } = this.#options;
    const { length } = this.#waiting;
    const total = this.#waiting.reduce((sum, waiting) => sum + waiting.weight, weight);
    return length < mostWaiting && (length === 0 || total <= mostWeight);
  }

  /** Adds a work; its signal aborts when its time is over, and when the queue is closed. */
  add(weight: number, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.isClosed) return;
    this.#waiting.push({ weight, run });
    this.#begin();
  }

  /** Takes no more works, and breaks off what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #begin(): void {
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#options.timeoutMs)]);
      const work = untilAborted(next.run(signal), signal)
        .catch((thrown) => {
          if (!this.isClosed) this.#options.onFailure(thrown);
        })
        .finally(() => {
          this.#running.delete(work);
          this.#begin();
        });
      this.#running.add(work);
    }
  }
}

/** Waits no longer than until a signal aborts, whether what is waited for heeds it or not. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
