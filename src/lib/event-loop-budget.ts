import { setImmediate as nextTurn } from "node:timers/promises";

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

/** Bytes from which each step with a text takes long enough for others to be let in after it. */
const LARGE_BYTES = 2 ** 20;
/** Bytes up to which a step takes so little that it need not be counted. */
const SMALL_BYTES = 2 ** 16;

/** Of all that yield: steps of several large texts in one iteration of the event loop would hold it for the sum. */
const share = new EventLoopBudget();

/**
 * Lets other work run after a step with a large text, and waits while the steps of others have used up this
 * one. Undefined for a small one, and where nobody else is at work: what need not be awaited costs nothing.
 */
export function yieldIfLarge(bytes: number): Promise<void> | undefined {
  if (bytes <= SMALL_BYTES) return undefined;
  return bytes > LARGE_BYTES ? share.yield() : share.acquire();
}

let end: Promise<void> | undefined;

/**
 * Waits until all that has come in this iteration of the event loop was read. Those who wait go on together, one after
 * another in their order: each step is done for all of them before the next, while its code and data are in the
 * processor's caches, and what they send wakes its readers once. A unary request costs a quarter less CPU by it
 * (docs/decisions/0061).
 */
export function afterPollPhase(): Promise<void> {
  end ??= nextTurn().then(() => {
    end = undefined;
  });
  return end;
}
