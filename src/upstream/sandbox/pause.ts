import { InferenceError } from "../../inference/error.ts";

/** Waits; with 0 only until other work had its turn. Rejects as soon as the signal aborts: with CANCELED, or with its reason. */
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
