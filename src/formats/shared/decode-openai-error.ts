import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { overflowFacts, refineOverflow } from "./context-overflow.ts";
import { causeFor, cleanMessage, messageFor } from "./errors/error-message.ts";
import { reasonByWords } from "./errors/error-words.ts";
import { findError } from "./errors/find-error.ts";
import type { JsonObject } from "./json.ts";
import { mapStatus } from "./map-status.ts";
import { refineNotFound } from "./model-not-found.ts";
import { isModeration } from "./moderation.ts";
import { parseErrorBody } from "./parse-error-body.ts";
import type { ErrorAnswer, KnownFacts } from "./protocol.ts";
import { readRetryDelay } from "./retry-delay.ts";

/** Names (`code` or `type`) that say more than the status does. */
const REASONS: Readonly<Record<string, ErrorReason>> = {
  context_length_exceeded: ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  exceed_context_size_error: ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  model_not_found: ErrorReason.MODEL_NOT_FOUND,
  DeploymentNotFound: ErrorReason.MODEL_NOT_FOUND,
  rate_limit_exceeded: ErrorReason.RATE_LIMITED,
  rate_limit_error: ErrorReason.RATE_LIMITED,
  insufficient_quota: ErrorReason.QUOTA_EXCEEDED,
  billing_hard_limit_reached: ErrorReason.QUOTA_EXCEEDED,
  billing_not_active: ErrorReason.QUOTA_EXCEEDED,
  content_filter: ErrorReason.CONTENT_FILTERED,
  content_policy_violation: ErrorReason.CONTENT_FILTERED,
  moderation_blocked: ErrorReason.CONTENT_FILTERED,
  invalid_prompt: ErrorReason.CONTENT_FILTERED,
  server_is_overloaded: ErrorReason.UPSTREAM_OVERLOADED,
  slow_down: ErrorReason.UPSTREAM_OVERLOADED,
  service_unavailable_error: ErrorReason.UPSTREAM_OVERLOADED,
  invalid_api_key: ErrorReason.UPSTREAM_UNAUTHENTICATED,
};

/** Types that stand for a status where there is none, as inside a stream. */
const TYPE_REASONS: Readonly<Record<string, ErrorReason>> = {
  invalid_request_error: ErrorReason.INVALID_REQUEST,
  BadRequestError: ErrorReason.INVALID_REQUEST,
  authentication_error: ErrorReason.UPSTREAM_UNAUTHENTICATED,
  permission_error: ErrorReason.UPSTREAM_UNAUTHENTICATED,
  not_found_error: ErrorReason.NOT_FOUND,
  unavailable_error: ErrorReason.UPSTREAM_OVERLOADED,
};

/** Decodes an answer that is not 2xx of a server that speaks OpenAI's formats, whether its body is JSON or not. */
export function decodeOpenAiError({ status, body }: ErrorAnswer, facts?: KnownFacts): InferenceError {
  const object = parseErrorBody(body);
  if (object !== undefined) return decodeOpenAiErrorObject(object, facts, status);
  const text = body.trim();
  const said = text === "" || text.startsWith("<") ? "" : `: ${text}`;
  const reason =
    reasonByWords({ codes: [], message: text }, facts?.errors ?? []) ?? refineOverflow(mapStatus(status), text);
  const message = cleanMessage(`the upstream answered with status ${status}${said}`);
  return new InferenceError(reason, messageFor(reason, message), {
    upstreamStatus: status,
    ...overflowFacts(reason, text),
    ...causeFor(reason, message),
  });
}

/**
 * Decodes an error object in any of the shapes that servers have for it. Inside a stream there is no status.
 */
export function decodeOpenAiErrorObject(object: JsonObject, facts?: KnownFacts, status?: number): InferenceError {
  const found = findError(object, facts?.errorPlaces ?? []);
  const { error, message = "the upstream failed and did not say why" } = found;
  const type = text(error.type);
  const code = text(error.code) ?? type ?? found.codes[0];
  const upstreamStatus = status ?? statusOf(error.code);
  const isModerated = upstreamStatus === 403 && isModeration(error, message);
  const reason = isModerated
    ? ErrorReason.CONTENT_FILTERED
    : (reasonByWords(found, facts?.errors ?? []) ?? mapReason({ codes: found.codes, type, message, upstreamStatus }));
  const said = cleanMessage(message);
  return new InferenceError(reason, messageFor(reason, said), {
    param: text(error.param),
    upstreamStatus,
    upstreamCode: code,
    retryAfterMs: readRetryDelay(object),
    ...overflowFacts(reason, message),
    ...countedBy(error),
    ...causeFor(reason, said),
  });
}

interface ErrorBody {
  readonly codes: readonly string[];
  readonly type: string | undefined;
  readonly message: string;
  readonly upstreamStatus: number | undefined;
}

function mapReason({ codes, type, message, upstreamStatus }: ErrorBody): ErrorReason {
  const named = codes.map((code) => lookUp(REASONS, code)).find((reason) => reason !== undefined);
  if (named !== undefined) return named;
  const reason =
    upstreamStatus === undefined
      ? (lookUp(TYPE_REASONS, type) ?? ErrorReason.UPSTREAM_ERROR)
      : mapStatus(upstreamStatus);
  return refineNotFound(refineOverflow(reason, message), message);
}

/** llama.cpp gives the two counts members of their own. */
function countedBy({ n_prompt_tokens: promptTokens, n_ctx: maxPromptTokens }: JsonObject) {
  const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
  return {
    ...(isCount(promptTokens) && { promptTokens }),
    ...(isCount(maxPromptTokens) && { maxPromptTokens }),
  };
}

function lookUp(table: Readonly<Record<string, ErrorReason>>, name: string | undefined): ErrorReason | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Some servers write the HTTP status as the code. */
function statusOf(code: unknown): number | undefined {
  const status = typeof code === "string" ? Number(code) : code;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
