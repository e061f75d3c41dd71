import { FairQueue } from "./fair-queue.ts";

/** The options of waiting for a permit. */
interface AcquireOptions {
  /** Ends the wait where it aborts. */
  readonly signal?: AbortSignal;
  /** Ends the wait after so many milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Owners get permits in turn; without owners the first that waits is the first served. */
  readonly owner?: string;
}

/** A semaphore: as many holders at once as there are permits; the others wait, one owner after another. */
export class Semaphore {
  #permits: number;
  /** Each grants its permit to one that waits. */
  readonly #waiting: FairQueue<() => void>;
  #held = 0;

  /** `max` may wait in all, and `maxOfOwner` of one owner. */
  constructor(permits: number, waiting: { readonly max?: number; readonly maxOfOwner?: number } = {}) {
    const { max = Number.POSITIVE_INFINITY, maxOfOwner = max } = waiting;
    this.#permits = permits;
    this.#waiting = new FairQueue(maxOfOwner, max);
  }

  /** Permits that are held now. */
  get held(): number {
    return this.#held;
  }

  /** The number of those that wait for a permit. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a permit, to be released by its holder; resolves to false without one where too many wait, or the wait
   * ends.
   */
  acquire({ signal, timeoutMs, owner = "" }: AcquireOptions = {}): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    if (this.#held < this.#permits) {
      this.#held += 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isGranted: boolean): void => {
      this.#waiting.delete(owner, grant);
      signal?.removeEventListener("abort", giveUp);
      clearTimeout(timer);
      resolve(isGranted);
    };
    const grant = (): void => end(true);
    const giveUp = (): void => end(false);
    if (!this.#waiting.push(owner, grant)) return Promise.resolve(false);
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    signal?.addEventListener("abort", giveUp, { once: true });
    return promise;
  }

  /** Returns a permit, which goes to the next that waits. */
  release(): void {
    this.#held -= 1;
    this.#grant();
  }

  /** Has another number of permits from now on. Fewer are reached as those beyond them are returned. */
  resize(permits: number): void {
    this.#permits = permits;
    this.#grant();
  }

  #grant(): void {
    while (this.#held < this.#permits) {
      const grant = this.#waiting.shift();
      if (grant === undefined) return;
      this.#held += 1;
      grant();
    }
  }
}
