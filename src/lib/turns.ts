import { FairQueue } from "./fair-queue.ts";

/** Lets so many at once do something; others wait for their turn, of one owner after another. */
export class Turns {
  readonly #most: number;
  /** Those who wait, each as what gives them their turn. */
  readonly #waiting: FairQueue<() => void>;
  #taken = 0;

  constructor(most: number, waiting: { readonly maxOfOwner: number; readonly max: number }) {
    this.#most = most;
    this.#waiting = new FairQueue(waiting.maxOfOwner, waiting.max);
  }

  /** How many have a turn. */
  get taken(): number {
    return this.#taken;
  }

  /** Waits for a turn, which ends with release(); resolves to false without one where too many wait, and where `signal` aborts. */
  take(signal: AbortSignal, owner: string): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#taken < this.#most) {
      this.#taken += 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const give = (): void => {
      signal.removeEventListener("abort", leave);
      resolve(true);
    };
    const leave = (): void => {
      this.#waiting.delete(owner, give);
      resolve(false);
    };
    if (!this.#waiting.push(owner, give)) return Promise.resolve(false);
    signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  /** Ends a turn that was taken, and passes it on. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}
