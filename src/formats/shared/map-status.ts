import { ErrorReason } from "../../hub/error.ts";

/**
 * Maps the HTTP status of an upstream's error answer to a reason, where its body does not say more. Of what callers
 * write, servers complain with 400, 413 and 422. Other statuses are of how this service asks, which its operator
 * configures: where it asks (a redirect, 406, 421, 426), and what stands in between (411, 415, 431).
 */
export function mapStatus(status: number): ErrorReason {
  switch (status) {
    case 401:
    case 403:
    // The credentials of a proxy, and a country that is not served.
    case 407:
    case 451:
      return ErrorReason.UPSTREAM_UNAUTHENTICATED;
    case 402:
      return ErrorReason.QUOTA_EXCEEDED;
    case 404:
    case 410:
      return ErrorReason.NOT_FOUND;
    case 408:
    case 504:
    // Of Cloudflare: the server did not answer in time.
    case 522:
    case 524:
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
    case 409:
    // A generation that failed: text-generation-inference, and Bedrock's ModelErrorException.
    case 424:
    case 425:
    // A proxy in between was left by its own client.
    case 499:
      return ErrorReason.UPSTREAM_ERROR;
    // What was asked for is not there.
    case 501:
      return ErrorReason.UPSTREAM_MISCONFIGURED;
    case 400:
    case 422:
      return ErrorReason.INVALID_REQUEST;
    default:
      return status >= 300 && status < 500 ? ErrorReason.UPSTREAM_MISCONFIGURED : ErrorReason.UPSTREAM_ERROR;
  }
}
