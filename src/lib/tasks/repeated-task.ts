import { setTimeout as delay } from "node:timers/promises";

/** Time limit of the last run. */
const CLOSE_LIMIT_MS = 3000;

/** Work that is done again and again, one run at a time. Its timer does not keep the process alive. */
export class RepeatedTask {
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  /** Each run must not reject, and should end soon after `signal` has aborted. */
  constructor(everyMs: number, run: () => Promise<void>) {
    this.#timer = setInterval(() => {
      this.#running ??= run().finally(() => {
        this.#running = undefined;
      });
    }, everyMs).unref();
  }

  /** Aborts when the task is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Begins no more runs, and waits at most three seconds for the one that is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    await Promise.race([this.#running, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }
}
