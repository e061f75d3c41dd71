import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Thrown by an attempt that could not put the request in its upstream's format. */
export class RefusedAttempt extends Error {
  override readonly cause: InferenceError;

  constructor(cause: InferenceError) {
    super(cause.message);
    this.cause = cause;
  }
}

/**
 * Translates a request for an attempt. What the translation refuses, another format may carry; what breaks in it is a
 * defect.
 */
export function refusing<T>(translate: () => T): T {
  try {
    return translate();
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    throw error.reason === ErrorReason.INTERNAL ? error : new RefusedAttempt(error);
  }
}

/** Reserves what an attempt may take. Where the ceiling of the call refuses it, a cheaper one may have room. */
export function reserving<T>(reserve: () => T): T {
  try {
    return reserve();
  } catch (thrown) {
    const isAboveCeiling = thrown instanceof InferenceError && thrown.reason === ErrorReason.INVALID_REQUEST;
    throw isAboveCeiling ? new RefusedAttempt(thrown) : thrown;
  }
}
