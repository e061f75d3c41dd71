import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { overflowFacts, refineOverflow } from "../../shared/context-overflow.ts";
import { cleanMessage, messageFor } from "../../shared/errors/error-message.ts";
import { reasonByWords } from "../../shared/errors/error-words.ts";
import { findError } from "../../shared/errors/find-error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { mapStatus } from "../../shared/map-status.ts";
import { refineNotFound } from "../../shared/model-not-found.ts";
import { isModeration } from "../../shared/moderation.ts";
import { parseErrorBody } from "../../shared/parse-error-body.ts";
import type { ErrorAnswer, KnownFacts } from "../../shared/protocol.ts";
import { readRetryDelay } from "../../shared/retry-delay.ts";

const TYPE_REASON: ReadonlyMap<string, ErrorReason> = new Map([
  ["invalid_request_error", ErrorReason.INVALID_REQUEST],
  ["authentication_error", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["permission_error", ErrorReason.UPSTREAM_UNAUTHENTICATED],
  ["billing_error", ErrorReason.QUOTA_EXCEEDED],
  ["not_found_error", ErrorReason.NOT_FOUND],
  ["request_too_large", ErrorReason.REQUEST_TOO_LARGE],
  ["rate_limit_error", ErrorReason.RATE_LIMITED],
  ["conflict_error", ErrorReason.UPSTREAM_ERROR],
  ["api_error", ErrorReason.UPSTREAM_ERROR],
  ["timeout_error", ErrorReason.UPSTREAM_TIMEOUT],
  ["overloaded_error", ErrorReason.UPSTREAM_OVERLOADED],
  // Names of Bedrock (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html).
  ["ValidationException", ErrorReason.INVALID_REQUEST],
  ["ThrottlingException", ErrorReason.RATE_LIMITED],
  ["ServiceQuotaExceededException", ErrorReason.RATE_LIMITED],
  ["ModelNotReadyException", ErrorReason.UPSTREAM_OVERLOADED],
  ["ServiceUnavailableException", ErrorReason.UPSTREAM_OVERLOADED],
  ["ModelTimeoutException", ErrorReason.UPSTREAM_TIMEOUT],
  ["ModelErrorException", ErrorReason.UPSTREAM_ERROR],
  ["ModelStreamErrorException", ErrorReason.UPSTREAM_ERROR],
  ["InternalServerException", ErrorReason.UPSTREAM_ERROR],
]);

/** Reads an answer whose status is not 2xx. */
export function decodeError({ status, body }: ErrorAnswer, facts?: KnownFacts): InferenceError {
  const json = parseErrorBody(body);
  const error = json === undefined ? undefined : toError(json, facts, status);
  if (error !== undefined) return error.with({ upstreamStatus: status });
  return new InferenceError(mapStatus(status), `the upstream answered with status ${status}`, {
    upstreamStatus: status,
    cause: toCause(body),
  });
}

/** Reads an `error` event; `usage` is what was spent until then. */
export function decodeErrorEvent(event: JsonObject, usage: Usage | undefined, facts?: KnownFacts): InferenceError {
  const error = toError(event, facts, undefined);
  return (error ?? new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream failed inside its answer")).with({
    usage,
  });
}

function toError(body: JsonObject, facts: KnownFacts, status: number | undefined): InferenceError | undefined {
  const { request_id: requestId } = body;
  const found = findError(body, facts?.errorPlaces ?? []);
  const { error, message: text = "" } = found;
  if (text === "" && !isJsonObject(body["error"])) return undefined;
  const type = typeof error["type"] === "string" && error !== body ? error["type"] : (found.codes[0] ?? "");
  const isForbidden = status === 403 || type === "permission_error";
  const reason =
    isForbidden && isModeration(error, text)
      ? ErrorReason.CONTENT_FILTERED
      : (reasonByWords(found, facts?.errors ?? []) ?? refine(mapType(found.codes, status), text));
  const said = text === "" ? "the upstream failed and did not say why" : cleanMessage(text);
  return new InferenceError(reason, messageFor(reason, said), {
    upstreamCode: type === "" ? undefined : type,
    retryAfterMs: readRetryDelay(body),
    upstreamRequestId: typeof requestId === "string" ? requestId : undefined,
    ...overflowFacts(reason, text),
    cause: toCause(text),
  });
}

/** A failed server is one, whatever the error is called. */
function mapType(names: readonly string[], status: number | undefined): ErrorReason {
  const byStatus = status === undefined ? ErrorReason.UPSTREAM_ERROR : mapStatus(status);
  const named = names.map((name) => TYPE_REASON.get(name)).find((reason) => reason !== undefined);
  const isFailure = status !== undefined && status >= 500 && named === ErrorReason.INVALID_REQUEST;
  return named === undefined || isFailure ? byStatus : named;
}

/** Some invalid requests are told apart by their message alone. */
function refine(reason: ErrorReason, text: string): ErrorReason {
  // Bedrock's word for a model that it does not have.
  if (/model identifier is invalid/i.test(text)) return ErrorReason.MODEL_NOT_FOUND;
  const isUnpaid = reason === ErrorReason.INVALID_REQUEST && /credit balance is too low/i.test(text);
  return isUnpaid ? ErrorReason.QUOTA_EXCEEDED : refineNotFound(refineOverflow(reason, text), text);
}

/** The upstream's own words, for the log. */
function toCause(text: string): Error | undefined {
  return text === "" ? undefined : new Error(cleanMessage(text));
}
