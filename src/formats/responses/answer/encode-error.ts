import type { InferenceError } from "../../../hub/error.ts";
import { openAiError } from "../../shared/encode-openai-error.ts";
import type { JsonObject } from "../../shared/json.ts";

export { encodeOpenAiError as encodeError } from "../../shared/encode-openai-error.ts";

/**
 * Encodes a failure for `event: error` as the text of its members: at the top as the published type has them, which
 * typed clients read, and nested as the service itself sends them, by which others raise.
 */
export function encodeStreamError(error: InferenceError): string {
  const { type, code, message, param } = openAiError(error);
  const members = { code, message, param, error: { type, code, message, param } };
  return JSON.stringify(members).slice(1, -1);
}

/** Encodes a failure as the `error` of a failed Response, whose codes have one word for every failure of a server. */
export function encodeResourceError(error: InferenceError): JsonObject {
  const { type, code, message } = openAiError(error);
  return { code: type === "server_error" ? type : (code ?? type), message };
}
