import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { decodeOpenAiErrorObject } from "../../shared/decode-openai-error.ts";
import { isJsonObject, type JsonObject, toObject, toText } from "../../shared/json.ts";
import type { KnownFacts } from "../../shared/protocol.ts";
import { decodeUsage } from "./decode-finish.ts";

export { decodeOpenAiError as decodeError } from "../../shared/decode-openai-error.ts";

/** Codes of a failed Response that blame the request's content. */
const FILTERED = new Set([
  "image_content_policy_violation",
  "bio_policy",
  "cyber_policy",
  "misalignment_policy_violation",
]);

/** Codes of a failed Response that blame an image of the request. */
const BAD_IMAGE = /^(?:invalid_(?:base64_)?image|image_|unsupported_image|empty_image|failed_to_download_image)/;

/** Decodes an `error` event, or an error in place of a Response: nested (`{error: {...}}`) or flat. */
export function decodeStreamError(event: JsonObject, facts: KnownFacts): InferenceError {
  if (isJsonObject(event.error)) return decodeNamed(event.error, facts);
  // The flat form has the event's own type where the nested one has the error's.
  const { type, ...flat } = event;
  return decodeNamed(type === "error" ? flat : event, facts);
}

/** Decodes a Response that failed, with the tokens that it took. */
export function decodeFailedResponse(response: JsonObject, facts: KnownFacts): InferenceError {
  const error = decodeNamed(toObject(response.error), facts);
  return isJsonObject(response.usage) ? error.with({ usage: decodeUsage(response.usage, response) }) : error;
}

function decodeNamed(body: JsonObject, facts: KnownFacts): InferenceError {
  const error = decodeOpenAiErrorObject(body, facts);
  const code = toText(body.code);
  if (FILTERED.has(code)) return new InferenceError(ErrorReason.CONTENT_FILTERED, error.message, error.facts);
  if (BAD_IMAGE.test(code)) return new InferenceError(ErrorReason.INVALID_REQUEST, error.message, error.facts);
  return error;
}
