import { ErrorReason } from "../../../hub/error.ts";

/** Names (`code`, `type` or `status`) that say more than a status does: servers take them from one another. */
const NAMES: ReadonlyMap<string, ErrorReason> = new Map([
  ["context_length_exceeded", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
  ["exceed_context_size_error", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
  ["context_window_exceeded", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
  ["ContextWindowExceededError", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
  ["prompt_too_long", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
  ["model_not_found", ErrorReason.MODEL_NOT_FOUND],
  ["MODEL_NOT_FOUND", ErrorReason.MODEL_NOT_FOUND],
  ["model_deprecated", ErrorReason.MODEL_NOT_FOUND],
  ["unavailable_model", ErrorReason.MODEL_NOT_FOUND],
  ["InvalidEndpointOrModel.NotFound", ErrorReason.MODEL_NOT_FOUND],
  ["key_model_access_denied", ErrorReason.MODEL_NOT_FOUND],
  ["DeploymentNotFound", ErrorReason.MODEL_NOT_FOUND],
  ["rate_limit_exceeded", ErrorReason.RATE_LIMITED],
  ["rate_limit_error", ErrorReason.RATE_LIMITED],
  ["rate_limit_reached_error", ErrorReason.RATE_LIMITED],
  ["RateLimitError", ErrorReason.RATE_LIMITED],
  ["TooManyRequests", ErrorReason.RATE_LIMITED],
  ["too_many_requests", ErrorReason.RATE_LIMITED],
  ["insufficient_quota", ErrorReason.QUOTA_EXCEEDED],
  ["billing_hard_limit_reached", ErrorReason.QUOTA_EXCEEDED],
  ["billing_not_active", ErrorReason.QUOTA_EXCEEDED],
  ["billing_error", ErrorReason.QUOTA_EXCEEDED],
  ["quota_exceeded", ErrorReason.QUOTA_EXCEEDED],
  ["credits_exhausted", ErrorReason.QUOTA_EXCEEDED],
  ["insufficient_user_quota", ErrorReason.QUOTA_EXCEEDED],
  ["content_filter", ErrorReason.CONTENT_FILTERED],
  ["content_policy_violation", ErrorReason.CONTENT_FILTERED],
  ["moderation_blocked", ErrorReason.CONTENT_FILTERED],
  ["cyber_policy", ErrorReason.CONTENT_FILTERED],
  ["ResponsibleAIPolicyViolation", ErrorReason.CONTENT_FILTERED],
  ["invalid_prompt", ErrorReason.CONTENT_FILTERED],
  ["server_is_overloaded", ErrorReason.UPSTREAM_OVERLOADED],
  ["slow_down", ErrorReason.UPSTREAM_OVERLOADED],
  ["service_unavailable_error", ErrorReason.UPSTREAM_OVERLOADED],
  ["overloaded_error", ErrorReason.UPSTREAM_OVERLOADED],
  ["invalid_api_key", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["wrong_api_key", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["expired_api_key", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["authentication_error", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["AuthenticationError", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["UNAUTHENTICATED", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["UNAUTHORIZED", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["ip_not_authorized", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["account_suspended", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["SubscriptionNotFound", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["UnrecognizedClientException", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["ExpiredTokenException", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["InvalidSignatureException", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["spend_limit_reached", ErrorReason.QUOTA_EXCEEDED],
  ["credit_limit", ErrorReason.QUOTA_EXCEEDED],
  ["payment_required", ErrorReason.QUOTA_EXCEEDED],
  ["insufficient_balance", ErrorReason.QUOTA_EXCEEDED],
  ["insufficient_credits", ErrorReason.QUOTA_EXCEEDED],
  ["unknown_model", ErrorReason.MODEL_NOT_FOUND],
  ["request_too_large", ErrorReason.REQUEST_TOO_LARGE],
  // Names of Google (google.rpc.Code).
  ["RESOURCE_EXHAUSTED", ErrorReason.RATE_LIMITED],
  ["UNAVAILABLE", ErrorReason.UPSTREAM_OVERLOADED],
  ["DEADLINE_EXCEEDED", ErrorReason.UPSTREAM_TIMEOUT],
  // Names of Bedrock (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html).
  ["ThrottlingException", ErrorReason.RATE_LIMITED],
  ["ServiceQuotaExceededException", ErrorReason.RATE_LIMITED],
  ["ModelNotReadyException", ErrorReason.UPSTREAM_OVERLOADED],
  ["ServiceUnavailableException", ErrorReason.UPSTREAM_OVERLOADED],
  ["ModelTimeoutException", ErrorReason.UPSTREAM_TIMEOUT],
]);

/** Names that stand for a status where there is none, as inside a stream. */
const TYPES: ReadonlyMap<string, ErrorReason> = new Map([
  ["invalid_request_error", ErrorReason.INVALID_REQUEST],
  ["BadRequestError", ErrorReason.INVALID_REQUEST],
  ["ValidationException", ErrorReason.INVALID_REQUEST],
  ["INVALID_ARGUMENT", ErrorReason.INVALID_REQUEST],
  // Names of DashScope, which has them inside 200 too (help.aliyun.com/model-studio/error-code), and of Volcengine.
  ["InvalidParameter", ErrorReason.INVALID_REQUEST],
  ["invalid_parameter_error", ErrorReason.INVALID_REQUEST],
  ["authentication_error", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["permission_error", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["not_found_error", ErrorReason.NOT_FOUND],
  ["unavailable_error", ErrorReason.UPSTREAM_OVERLOADED],
  ["timeout_error", ErrorReason.UPSTREAM_TIMEOUT],
  ["conflict_error", ErrorReason.UPSTREAM_ERROR],
  ["api_error", ErrorReason.UPSTREAM_ERROR],
  ["ModelErrorException", ErrorReason.UPSTREAM_ERROR],
  ["ModelStreamErrorException", ErrorReason.UPSTREAM_ERROR],
  ["InternalServerException", ErrorReason.UPSTREAM_ERROR],
]);

/** Returns what an error means by the first of its names that says more than a status does. */
export function reasonByName(names: readonly string[]): ErrorReason | undefined {
  return find(names, NAMES);
}

/** Returns the reason that the first known type among the names of an error stands for. */
export function reasonByType(names: readonly string[]): ErrorReason | undefined {
  return find(names, TYPES);
}

function find(names: readonly string[], table: ReadonlyMap<string, ErrorReason>): ErrorReason | undefined {
  // Connect writes the names of gRPC in lower case.
  return names.map((name) => table.get(name) ?? table.get(name.toUpperCase())).find((reason) => reason !== undefined);
}

/** Returns the HTTP status that stands among the codes of an error, the innermost first; undefined if there is none. */
export function statusAmong(codes: readonly string[]): number | undefined {
  return codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
}

/** Statuses under which gateways hand on whatever their provider said, and those in a body that say more. */
const GENERAL: ReadonlySet<number> = new Set([400, 500, 502]);
const SPECIFIC: ReadonlySet<number> = new Set([402, 429, 503, 529]);

/** Returns the status that tells what an error means: one in its body where that of the answer says little. */
export function innerStatus(codes: readonly string[], status: number | undefined): number | undefined {
  const within = status !== undefined && GENERAL.has(status) ? statusAmong(codes) : undefined;
  return within !== undefined && SPECIFIC.has(within) ? within : status;
}
