import type { InferenceError } from "../../inference/error.ts";
import type { JsonObject } from "../../wire/json.ts";
import { openAiError } from "../openai-error.ts";

export { encodeOpenAiError as encodeError } from "../openai-error.ts";

/** Encodes a failure for `event: error`, in the nested form that the service itself sends. */
export function encodeStreamError(error: InferenceError): JsonObject {
  const { type, code, message, param } = openAiError(error);
  return { type, code, message, param };
}

/** Encodes a failure as the `error` of a failed Response, whose codes have one word for every failure of a server. */
export function encodeResourceError(error: InferenceError): JsonObject {
  const { type, code, message } = openAiError(error);
  return { code: type === "server_error" ? type : (code ?? type), message };
}
