import { ErrorReason, type InferenceError } from "../../hub/error.ts";

/** HTTP status of each reason where the upstream's own status does not stand for it. */
const STATUS: Record<ErrorReason, number> = {
  [ErrorReason.UNSPECIFIED]: 500,
  [ErrorReason.INVALID_REQUEST]: 400,
  [ErrorReason.UNAUTHENTICATED]: 401,
  [ErrorReason.PERMISSION_DENIED]: 403,
  [ErrorReason.MODEL_NOT_FOUND]: 404,
  [ErrorReason.NOT_FOUND]: 404,
  [ErrorReason.REQUEST_TOO_LARGE]: 413,
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED]: 400,
  [ErrorReason.TRANSLATION_LOSS]: 400,
  [ErrorReason.RATE_LIMITED]: 429,
  [ErrorReason.QUOTA_EXCEEDED]: 429,
  [ErrorReason.CONTENT_FILTERED]: 400,
  [ErrorReason.UPSTREAM_OVERLOADED]: 503,
  [ErrorReason.UPSTREAM_ERROR]: 502,
  [ErrorReason.UPSTREAM_UNAUTHENTICATED]: 502,
  [ErrorReason.UPSTREAM_UNREACHABLE]: 502,
  [ErrorReason.UPSTREAM_TIMEOUT]: 504,
  [ErrorReason.STREAM_INTERRUPTED]: 502,
  [ErrorReason.CANCELED]: 499,
  [ErrorReason.UNAVAILABLE]: 503,
  [ErrorReason.INTERNAL]: 500,
  [ErrorReason.PREVIOUS_NOT_FOUND]: 400,
  [ErrorReason.DEADLINE_EXCEEDED]: 504,
  [ErrorReason.THREAD_UNSUPPORTED]: 400,
  [ErrorReason.UPSTREAM_MISCONFIGURED]: 502,
  [ErrorReason.IDEMPOTENCY_KEY_REUSED]: 422,
  [ErrorReason.ANSWER_NOT_KEPT]: 409,
  [ErrorReason.ALREADY_EXISTS]: 409,
  [ErrorReason.CONFLICT]: 409,
};

/**
 * Reasons for which the upstream's status reaches the caller as it is. An upstream that refuses Attune's own
 * credentials is not among them: a 401 would tell the caller that their key is wrong. So would a 403 of a filter, for
 * which both families of formats have 400.
 */
const UPSTREAM_STATUS_STANDS: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INVALID_REQUEST,
  ErrorReason.REQUEST_TOO_LARGE,
  ErrorReason.NOT_FOUND,
  ErrorReason.RATE_LIMITED,
  ErrorReason.UPSTREAM_OVERLOADED,
  ErrorReason.UPSTREAM_ERROR,
]);

/** Statuses that say of a used-up account what it is: a 400 would tell the caller that the request is wrong. */
const OF_QUOTA: ReadonlySet<number> = new Set([402, 429]);

/** Mistakes of a request: llama.cpp says 500 of some, which SDKs would send again. */
const MISTAKES: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INVALID_REQUEST,
  ErrorReason.REQUEST_TOO_LARGE,
  ErrorReason.NOT_FOUND,
]);

/** Statuses that tell clients something else than that the request is wrong: a key, an account, a path, or to wait. */
const NO_MISTAKE: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 408, 409, 421, 425, 429, 451, 498, 499]);

/** Statuses by which clients wait: a 400 would tell them that the same request fails for good. */
const OF_WAITING: ReadonlySet<number> = new Set([413, 429, 498]);

const WAITS: ReadonlySet<ErrorReason> = new Set([ErrorReason.RATE_LIMITED, ErrorReason.UPSTREAM_OVERLOADED]);

/** A failure, as far as its status depends on it. */
interface StatusFacts extends Pick<InferenceError, "reason"> {
  readonly facts: Pick<InferenceError["facts"], "upstreamStatus">;
}

/** Maps a failure to the HTTP status of its answer. */
export function errorStatus(error: StatusFacts): number {
  const { upstreamStatus } = error.facts;
  if (error.reason === ErrorReason.QUOTA_EXCEEDED)
    return OF_QUOTA.has(upstreamStatus ?? 0) ? Number(upstreamStatus) : 429;
  const stands = upstreamStatus !== undefined && standsFor(error.reason, upstreamStatus);
  return stands && UPSTREAM_STATUS_STANDS.has(error.reason) ? upstreamStatus : (STATUS[error.reason] ?? 500);
}

function standsFor(reason: ErrorReason, status: number): boolean {
  if (WAITS.has(reason) && status < 500) return OF_WAITING.has(status);
  // None of these is the caller's doing: those by which clients send again go on.
  if (reason === ErrorReason.UPSTREAM_ERROR && status < 500) return status === 408 || status === 409;
  if (reason === ErrorReason.INVALID_REQUEST && NO_MISTAKE.has(status)) return false;
  return status >= 400 && status <= (MISTAKES.has(reason) ? 499 : 599);
}
