import { InferenceError } from "../../hub/error.ts";

/**
 * Waits; with 0 only until other work has run. Rejects as soon as the signal aborts: with CANCELED, or with its
 * reason.
 */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer);
      clearImmediate(immediate);
      reject(InferenceError.fromAbort(signal));
    };
    if (signal.aborted) return reject(InferenceError.fromAbort(signal));
    const done = (): void => {
      signal.removeEventListener("abort", cancel);
      resolve();
    };
    const timer = durationMs > 0 ? setTimeout(done, durationMs) : undefined;
    const immediate = durationMs > 0 ? undefined : setImmediate(done);
    signal.addEventListener("abort", cancel, { once: true });
  });
}

/** The time that work runs before others do. */
const TURN_MS = 10;

/** Divides long work into slices, between which other work runs. */
export class YieldTimer {
  readonly #signal: AbortSignal;
  #endMs = performance.now() + TURN_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns whether it is time to give way. */
  get isOver(): boolean {
    return performance.now() > this.#endMs;
  }

  /** Gives way to other work. Rejects with CANCELED once the signal has aborted. */
  async next(): Promise<void> {
    await pause(0, this.#signal);
    this.#endMs = performance.now() + TURN_MS;
  }
}
