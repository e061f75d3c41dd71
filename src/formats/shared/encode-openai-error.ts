import { ErrorReason, type InferenceError } from "../../hub/error.ts";
import type { EncodedError } from "./codec.ts";
import { errorStatus } from "./error-status.ts";

/** The inner object of OpenAI's error envelope. */
interface OpenAiError {
  readonly message: string;
  readonly type: string;
  /** Place in the request; null if there is none. */
  readonly param: string | null;
  readonly code: string | null;
}

const INVALID = "invalid_request_error";
const UNAVAILABLE = "service_unavailable_error";
const SERVER = "server_error";

/** OpenAI's type and code of each reason. */
const NAMES: Record<ErrorReason, readonly [type: string, code: string | null]> = {
  [ErrorReason.UNSPECIFIED]: [SERVER, null],
  [ErrorReason.INVALID_REQUEST]: [INVALID, null],
  [ErrorReason.UNAUTHENTICATED]: [INVALID, "invalid_api_key"],
  [ErrorReason.PERMISSION_DENIED]: ["permission_error", "permission_denied"],
  [ErrorReason.MODEL_NOT_FOUND]: [INVALID, "model_not_found"],
  [ErrorReason.NOT_FOUND]: [INVALID, "not_found"],
  [ErrorReason.REQUEST_TOO_LARGE]: [INVALID, "request_too_large"],
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED]: [INVALID, "context_length_exceeded"],
  [ErrorReason.TRANSLATION_LOSS]: [INVALID, "unsupported_parameter"],
  [ErrorReason.RATE_LIMITED]: ["rate_limit_error", "rate_limit_exceeded"],
  [ErrorReason.QUOTA_EXCEEDED]: ["insufficient_quota", "insufficient_quota"],
  [ErrorReason.CONTENT_FILTERED]: [INVALID, "content_filter"],
  [ErrorReason.UPSTREAM_OVERLOADED]: [UNAVAILABLE, "server_is_overloaded"],
  [ErrorReason.UPSTREAM_ERROR]: [SERVER, "upstream_error"],
  [ErrorReason.UPSTREAM_UNAUTHENTICATED]: [SERVER, "upstream_unauthenticated"],
  [ErrorReason.UPSTREAM_UNREACHABLE]: [SERVER, "upstream_unreachable"],
  [ErrorReason.UPSTREAM_TIMEOUT]: [SERVER, "upstream_timeout"],
  [ErrorReason.STREAM_INTERRUPTED]: [SERVER, "stream_interrupted"],
  [ErrorReason.CANCELED]: [INVALID, "request_canceled"],
  [ErrorReason.UNAVAILABLE]: [UNAVAILABLE, "service_unavailable"],
  [ErrorReason.INTERNAL]: [SERVER, "internal_error"],
  [ErrorReason.PREVIOUS_NOT_FOUND]: [INVALID, "previous_response_not_found"],
  [ErrorReason.DEADLINE_EXCEEDED]: [SERVER, "deadline_exceeded"],
  [ErrorReason.THREAD_UNSUPPORTED]: [INVALID, "thread_unsupported_request"],
  [ErrorReason.UPSTREAM_MISCONFIGURED]: [SERVER, "upstream_misconfigured"],
  [ErrorReason.IDEMPOTENCY_KEY_REUSED]: [INVALID, "idempotency_key_reused"],
  [ErrorReason.ANSWER_NOT_KEPT]: [INVALID, "answer_not_kept"],
  [ErrorReason.ALREADY_EXISTS]: [INVALID, "already_exists"],
  [ErrorReason.CONFLICT]: [INVALID, "conflict"],
};

/** Encodes a failure as OpenAI's error object, for use inside a stream. */
export function openAiError(error: InferenceError): OpenAiError {
  const [type, code] = NAMES[error.reason] ?? NAMES[ErrorReason.INTERNAL];
  const param = error.facts.param || (error.reason === ErrorReason.MODEL_NOT_FOUND ? "model" : null);
  return { message: error.message, type, param, code: code ?? upstreamCode(error, type) };
}

/**
 * Encodes a failure that came before the first byte. A defect's message names the request, for whoever reads the log.
 */
export function encodeOpenAiError(error: InferenceError, requestId: string): EncodedError {
  const body = openAiError(error);
  const message = error.reason === ErrorReason.INTERNAL ? `${body.message} (request id ${requestId})` : body.message;
  return { status: getStatus(error), body: { error: { ...body, message } } };
}

/**
 * Anthropic's status of an overload is none of OpenAI's: Codex asks 30 times within 24 s at 529, and 5 times at 503
 * with the code `server_is_overloaded` (docs/clients.md).
 */
const ANTHROPIC_OVERLOADED = 529;
const OVERLOADED = 503;

function getStatus(error: InferenceError): number {
  const status = errorStatus(error);
  return status === ANTHROPIC_OVERLOADED ? OVERLOADED : status;
}

/** The upstream's own code where this service has none that says as much, such as invalid_image_url. */
function upstreamCode({ facts }: InferenceError, type: string): string | null {
  return facts.upstreamCode === undefined || facts.upstreamCode === type ? null : facts.upstreamCode;
}
