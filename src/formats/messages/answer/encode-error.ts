import { ErrorReason, type InferenceError } from "../../../hub/error.ts";
import type { EncodedError } from "../../shared/codec.ts";
import { errorStatus } from "../../shared/error-status.ts";
import type { JsonObject } from "../../shared/json.ts";

/** Type of each reason whose status does not say enough. */
const REASON_TYPE: ReadonlyMap<ErrorReason, string> = new Map([
  [ErrorReason.UPSTREAM_OVERLOADED, "overloaded_error"],
  [ErrorReason.UPSTREAM_TIMEOUT, "timeout_error"],
  [ErrorReason.QUOTA_EXCEEDED, "billing_error"],
]);

const STATUS_TYPE: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/**
 * The details by which SDKs recover where a thread cannot continue: they send the whole conversation, as a new thread
 * or without one.
 */
const THREAD_DETAILS: ReadonlyMap<ErrorReason, JsonObject> = new Map<ErrorReason, JsonObject>([
  [ErrorReason.PREVIOUS_NOT_FOUND, { error_code: "thread_not_found" }],
  [ErrorReason.THREAD_UNSUPPORTED, { error_code: "thread_unsupported_request", unsupported: ["thread"] }],
]);

/** Encodes a failure that came before the first byte. */
export function encodeError(error: InferenceError, requestId: string): EncodedError {
  return { status: getStatus(error), body: encodeErrorBody(error, requestId) };
}

function getStatus(error: InferenceError): number {
  return error.reason === ErrorReason.PREVIOUS_NOT_FOUND ? 404 : errorStatus(error);
}

/** Encodes the body of a failure, which is the same before and inside a stream. */
export function encodeErrorBody(error: InferenceError, requestId: string): JsonObject {
  const message = error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED ? tooLong(error) : error.message;
  const details = THREAD_DETAILS.get(error.reason);
  const body = { type: errorType(error), message, ...(details === undefined ? {} : { details }) };
  return { type: "error", error: body, request_id: requestId };
}

/** The messages of the service itself. Agents look for these words and counts to compact their conversation. */
const OWN_WORDS = /prompt is too long: \d+ tokens > \d+|exceed context limit: \d+ \+ \d+ > \d+/;

/** Says in the service's own words that a prompt is too long, with as many counts as are known. */
function tooLong({ message, facts: { promptTokens, maxPromptTokens } }: InferenceError): string {
  if (OWN_WORDS.test(message)) return message;
  if (maxPromptTokens === undefined) return "prompt is too long";
  if (promptTokens === undefined || promptTokens <= maxPromptTokens) {
    return `prompt is too long: the maximum is ${maxPromptTokens} tokens`;
  }
  return `prompt is too long: ${promptTokens} tokens > ${maxPromptTokens} maximum`;
}

function errorType(error: InferenceError): string {
  const status = getStatus(error);
  const type = REASON_TYPE.get(error.reason) ?? STATUS_TYPE.get(status);
  return type ?? (status >= 500 ? "api_error" : "invalid_request_error");
}
