import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Returns the error for a full recorder: an inference without a record could get no feedback and no bill. */
export function noRoom(): InferenceError {
  const message = "there is no room to record inferences at the moment: try again shortly";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
}
