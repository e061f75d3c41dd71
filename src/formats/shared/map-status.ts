import { ErrorReason } from "../../hub/error.ts";

/** Maps the HTTP status of an upstream's error answer to a reason, where its body does not say more. */
export function mapStatus(status: number): ErrorReason {
  switch (status) {
    case 401:
    case 403:
      return ErrorReason.UPSTREAM_UNAUTHENTICATED;
    case 402:
      return ErrorReason.QUOTA_EXCEEDED;
    case 404:
      return ErrorReason.NOT_FOUND;
    case 408:
    case 504:
      return ErrorReason.UPSTREAM_TIMEOUT;
    case 413:
      return ErrorReason.REQUEST_TOO_LARGE;
    case 429:
      return ErrorReason.RATE_LIMITED;
    // Groq: the capacity of its flex tier is exceeded (console.groq.com/docs/errors).
    case 498:
    case 503:
    case 529:
      return ErrorReason.UPSTREAM_OVERLOADED;
    default:
      return status >= 400 && status < 500 && status !== 409 && status !== 425
        ? ErrorReason.INVALID_REQUEST
        : ErrorReason.UPSTREAM_ERROR;
  }
}
