/** The milliseconds that a kind of work may take of one iteration of the event loop before the next has to wait. */
const SHARE_MS = 20;

/**
 * A share of each iteration of the event loop. Many upstreams may send much at the same moment: each piece takes
 * milliseconds, and all of them in one iteration would hold up every other caller for the sum.
 */
export class EventLoopBudget {
  readonly #now: () => number;
  readonly #shareMs: number;
  readonly #most: number;
  /** When this iteration's share began to be used; undefined before that. */
  #begunAt: number | undefined;
  /** Work that began in this iteration. */
  #begun = 0;
  #waiting = 0;

  /** At most `most` pieces of work begin in an iteration: work that waits takes its time in later ones, all at once. */
  constructor(shareMs = SHARE_MS, now: () => number = () => performance.now(), most = Number.POSITIVE_INFINITY) {
    this.#shareMs = shareMs;
    this.#now = now;
    this.#most = most;
  }

  /** Undefined if work may begin at once; otherwise resolves in a later iteration, in the order of the calls. */
  acquire(): Promise<void> | undefined {
    if (!this.#begin() && (this.#waiting > 0 || this.#isSpent())) return this.#wait();
    this.#begun += 1;
    return undefined;
  }

  /** Resolves in a later iteration, in the order of the calls. */
  yield(): Promise<void> {
    this.#begin();
    return this.#wait();
  }

  /** Returns whether this iteration's share begins to be used now. */
  #begin(): boolean {
    if (this.#begunAt !== undefined) return false;
    this.#begunAt = this.#now();
    this.#begun = 0;
    setImmediate(this.#beginIteration);
    return true;
  }

  #wait(): Promise<void> {
    this.#waiting += 1;
    return new Promise((resolve) => this.#await(resolve));
  }

  /**
   * Comes before those that wait, which are queued for the same iteration: the first of them finds a share that is
   * whole.
   */
  readonly #beginIteration = (): void => {
    if (this.#waiting === 0) {
      this.#begunAt = undefined;
      return;
    }
    this.#begunAt = this.#now();
    this.#begun = 0;
    setImmediate(this.#beginIteration);
  };

  #await(resolve: () => void): void {
    setImmediate(() => {
      if (this.#isSpent()) {
        this.#await(resolve);
        return;
      }
      this.#waiting -= 1;
      this.#begun += 1;
      resolve();
    });
  }

  #isSpent(): boolean {
    if (this.#begunAt === undefined) return false;
    return this.#begun >= this.#most || this.#now() - this.#begunAt >= this.#shareMs;
  }
}
