import { ErrorReason, InferenceError } from "../../inference/error.ts";

/** Waits; with 0 only until other work had its turn. Rejects with CANCELED as soon as the signal aborts. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer);
      clearImmediate(immediate);
      reject(new InferenceError(ErrorReason.CANCELED, "the caller went away"));
    };
    if (signal.aborted) return reject(new InferenceError(ErrorReason.CANCELED, "the caller went away"));
    const done = (): void => {
      signal.removeEventListener("abort", cancel);
      resolve();
    };
    const timer = durationMs > 0 ? setTimeout(done, durationMs) : undefined;
    const immediate = durationMs > 0 ? undefined : setImmediate(done);
    signal.addEventListener("abort", cancel, { once: true });
  });
}
