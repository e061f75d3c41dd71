import { Code, ConnectError, type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { CALLER_DEADLINE_PASSED } from "../inference/run/deadline.ts";

/**
 * Time before its deadline at which a caller that leaves is held to have waited for it: its clock began before the call
 * came.
 */
const EARLY_MS = 200;

/**
 * The context key of a call's abort signal: its deadline, or its caller. Unset for a call in process, which has its
 * own.
 */
export const CALL_SIGNAL: ContextKey<AbortSignal | undefined> = createContextKey<AbortSignal | undefined>(undefined, {
  description: "signal",
});

/**
 * Returns what ends a call. For a call with a deadline it aborts with an InferenceError that tells its passing from a
 * caller who left.
 */
export function createCallSignal({ signal, timeoutMs }: HandlerContext): AbortSignal {
  if (timeoutMs() === undefined) return signal;
  const controller = new AbortController();
  const end = (): void => controller.abort(isLate(signal.reason, timeoutMs()) ? deadlineExceeded() : signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return controller.signal;
}

/** Waits for a promise, but no longer than until the signal aborts: then it rejects with the signal's reason. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function isLate(reason: unknown, leftMs: number | undefined): boolean {
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) return true;
  return leftMs !== undefined && leftMs <= EARLY_MS;
}

function deadlineExceeded(): InferenceError {
  return new InferenceError(ErrorReason.DEADLINE_EXCEEDED, CALLER_DEADLINE_PASSED);
}
