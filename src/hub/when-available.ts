import { isTransient } from "../lib/database-state.ts";
import { ErrorReason, InferenceError } from "./error.ts";

/**
 * Awaits what the database does. A database that is away is no fault of the request: `subject` (what cannot be done, as
 * a sentence without its end) is then UNAVAILABLE. A mistake stays one: to try again would not help.
 */
export async function whenAvailable<T>(work: Promise<T>, subject: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof InferenceError || !isTransient(cause)) throw cause;
    const message = `${subject} at the moment: try again shortly`;
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
  }
}
