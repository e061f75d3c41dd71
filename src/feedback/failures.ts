import { ErrorReason, InferenceError } from "../hub/error.ts";
import { isTransient } from "../lib/database-state.ts";

/** Tells an outage, after which the same may be sent again, from a mistake. */
export function failed(error: unknown): InferenceError {
  return isTransient(error) ? unavailable() : InferenceError.from(error);
}

function unavailable(): InferenceError {
  return new InferenceError(
    ErrorReason.UNAVAILABLE,
    "the feedback cannot be stored at the moment: send it again shortly",
  );
}

/** Returns the failure of who asks of an inference that nobody can tell of. */
export function unanswered(): InferenceError {
  return new InferenceError(
    ErrorReason.UNAVAILABLE,
    "the inference cannot be looked up at the moment; the feedback was not stored: send it again shortly",
  );
}
