/** Lets so many at once do something; others wait for their turn, the first of them first. */
export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  /** Those who wait, each as what gives them their turn. */
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** How many have a turn. */
  get taken(): number {
    return this.#taken;
  }

  /** Waits for a turn, which ends with release(); resolves to false without one where too many wait, and where `signal` aborts. */
  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#taken < this.#most) {
      this.#taken += 1;
      return Promise.resolve(true);
    }
    if (this.#waiting.size >= this.#mostWaiting) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const give = (): void => {
      signal.removeEventListener("abort", leave);
      resolve(true);
    };
    const leave = (): void => {
      this.#waiting.delete(give);
      resolve(false);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.add(give);
    return promise;
  }

  /** Ends a turn that was taken, and passes it on. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
