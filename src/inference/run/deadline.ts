import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Says that a caller's own deadline has passed, whichever clock saw it first. */
export const CALLER_DEADLINE_PASSED = "the caller's deadline passed before the answer was complete";

/** The moment by which an answer has to be there, or a stream to have begun. */
export class Deadline {
  readonly #message: string;
  readonly #endMs: number;

  /** `message` is what callers are told once it has passed. */
  constructor(limitMs: number, message: string) {
    this.#message = message;
    this.#endMs = performance.now() + limitMs;
  }

  /** Calls back once it has passed; the timer may be cleared. */
  start(onPassed: (error: InferenceError) => void): NodeJS.Timeout {
    const tell = (): void => onPassed(new InferenceError(ErrorReason.DEADLINE_EXCEEDED, this.#message));
    return setTimeout(tell, Math.max(0, this.#endMs - performance.now()));
  }
}

/** Does something with a signal that aborts with another one and at the deadline. */
export async function withinDeadline<T>(
  deadline: Deadline | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (deadline === undefined) return await work(signal);
  const stop = new AbortController();
  const timer = deadline.start((error) => stop.abort(error));
  try {
    return await work(AbortSignal.any([signal, stop.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the deadline of a call that begins now: the earlier one of its caller's and the configured one. */
export function createDeadline(callerMs: number | undefined, totalMs: number | undefined): Deadline | undefined {
  if (totalMs !== undefined && totalMs < (callerMs ?? Number.POSITIVE_INFINITY)) {
    return new Deadline(totalMs, `the answer was not there after ${totalMs} ms, which is routing.totalMs`);
  }
  return callerMs === undefined ? undefined : new Deadline(callerMs, CALLER_DEADLINE_PASSED);
}
