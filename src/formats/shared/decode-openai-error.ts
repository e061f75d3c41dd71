import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { overflowFacts, refineOverflow } from "./context-overflow.ts";
import { causeFor, cleanMessage, messageFor } from "./errors/error-message.ts";
import { innerStatus, reasonByName, reasonByType, statusAmong } from "./errors/error-names.ts";
import { reasonByWords } from "./errors/error-words.ts";
import { findError } from "./errors/find-error.ts";
import type { JsonObject } from "./json.ts";
import { mapStatus } from "./map-status.ts";
import { refineNotFound } from "./model-not-found.ts";
import { isModeration } from "./moderation.ts";
import { parseErrorBody } from "./parse-error-body.ts";
import { decodePlainError } from "./plain-error.ts";
import type { ErrorAnswer, KnownFacts } from "./protocol.ts";
import { readRetryDelay } from "./retry-delay.ts";

/** Decodes an answer that is not 2xx of a server that speaks OpenAI's formats, whether its body is JSON or not. */
export function decodeOpenAiError({ status, body }: ErrorAnswer, facts?: KnownFacts): InferenceError {
  const object = parseErrorBody(body);
  if (object !== undefined) return decodeOpenAiErrorObject(object, facts, status);
  return decodePlainError(status, body, facts);
}

/**
 * Decodes an error object in any of the shapes that servers have for it. Inside a stream there is no status.
 */
export function decodeOpenAiErrorObject(object: JsonObject, facts?: KnownFacts, status?: number): InferenceError {
  const found = findError(object, facts?.errorPlaces ?? []);
  const { error, message = "the upstream failed and did not say why" } = found;
  const type = text(error.type);
  const code = text(error.code) ?? type ?? found.codes[0];
  const upstreamStatus = status ?? statusAmong(found.codes);
  const isModerated = upstreamStatus === 403 && isModeration(error, message);
  const reason = isModerated
    ? ErrorReason.CONTENT_FILTERED
    : (reasonByWords(found, facts?.errors ?? []) ?? mapReason({ codes: found.codes, message, upstreamStatus }));
  const words = cleanMessage(message);
  return new InferenceError(reason, messageFor(reason, words), {
    param: text(error.param),
    upstreamStatus,
    upstreamCode: code,
    isUpstreamWords: true,
    retryAfterMs: readRetryDelay(object),
    ...overflowFacts(reason, message),
    ...countedBy(error),
    ...causeFor(reason, words),
  });
}

interface ErrorBody {
  readonly codes: readonly string[];
  readonly message: string;
  readonly upstreamStatus: number | undefined;
}

function mapReason({ codes, message, upstreamStatus }: ErrorBody): ErrorReason {
  const named = reasonByName(codes);
  if (named !== undefined) return named;
  const status = innerStatus(codes, upstreamStatus);
  const reason = status === undefined ? (reasonByType(codes) ?? ErrorReason.UPSTREAM_ERROR) : mapStatus(status);
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

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
