import { DatabaseTimeoutError } from "../types/database-state.ts";

/** Lets one piece of work after the other have the only connection, in the order in which they asked. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  /** Resolves when it is the caller's turn, which lasts until it calls give(); rejects with a DatabaseTimeoutError after `limitMs`. */
  async take(limitMs: number | undefined): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const giveUp = () => {
      this.#waiting.delete(resolve);
      reject(new DatabaseTimeoutError(`the connection to the database was in use by others for ${limitMs} ms`));
    };
    const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Ends the turn. */
  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isTaken = false;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
