import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { overflowFacts, refineOverflow } from "../../shared/context-overflow.ts";
import { cleanMessage, messageFor } from "../../shared/errors/error-message.ts";
import { innerStatus, reasonByName, reasonByType, statusAmong } from "../../shared/errors/error-names.ts";
import { reasonByWords } from "../../shared/errors/error-words.ts";
import { findError } from "../../shared/errors/find-error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { mapStatus } from "../../shared/map-status.ts";
import { refineNotFound } from "../../shared/model-not-found.ts";
import { isModeration } from "../../shared/moderation.ts";
import { parseErrorBody } from "../../shared/parse-error-body.ts";
import { decodePlainError } from "../../shared/plain-error.ts";
import type { ErrorAnswer, KnownFacts } from "../../shared/protocol.ts";
import { readRetryDelay } from "../../shared/retry-delay.ts";

/** Reads an answer whose status is not 2xx. */
export function decodeError({ status, body }: ErrorAnswer, facts?: KnownFacts): InferenceError {
  const json = parseErrorBody(body);
  const error = json === undefined ? undefined : toError(json, facts, status);
  return error ?? decodePlainError(status, body, facts);
}

/** Reads an `error` event; `usage` is what was spent until then. */
export function decodeErrorEvent(event: JsonObject, usage: Usage | undefined, facts?: KnownFacts): InferenceError {
  const error = toError(event, facts, undefined);
  return (error ?? new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream failed inside its answer")).with({
    usage,
  });
}

function toError(body: JsonObject, facts: KnownFacts, answered: number | undefined): InferenceError | undefined {
  const { request_id: requestId } = body;
  const found = findError(body, facts?.errorPlaces ?? []);
  const { error, message: text = "" } = found;
  const status = answered ?? statusAmong(found.codes);
  if (text === "" && !isJsonObject(body["error"])) return undefined;
  const type = typeof error["type"] === "string" && error !== body ? error["type"] : (found.codes[0] ?? "");
  const isForbidden = status === 403 || type === "permission_error";
  const reason =
    isForbidden && isModeration(error, text)
      ? ErrorReason.CONTENT_FILTERED
      : (reasonByWords(found, facts?.errors ?? []) ??
        refine(mapType(found.codes, innerStatus(found.codes, status)), text));
  const words = text === "" ? "the upstream failed and did not say why" : cleanMessage(text);
  return new InferenceError(reason, messageFor(reason, words), {
    upstreamStatus: status,
    upstreamCode: type === "" ? undefined : type,
    isUpstreamWords: true,
    retryAfterMs: readRetryDelay(body),
    upstreamRequestId: typeof requestId === "string" ? requestId : undefined,
    ...overflowFacts(reason, text),
    cause: toCause(text),
  });
}

/** A status says more than a type that calls any refusal the mistake of a request. */
function mapType(names: readonly string[], status: number | undefined): ErrorReason {
  const byStatus = status === undefined ? ErrorReason.UPSTREAM_ERROR : mapStatus(status);
  const named = reasonByName(names) ?? reasonByType(names);
  const isGeneral = status !== undefined && named === ErrorReason.INVALID_REQUEST;
  return named === undefined || isGeneral ? byStatus : named;
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
