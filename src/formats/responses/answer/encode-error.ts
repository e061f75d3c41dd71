import type { InferenceError } from "../../../hub/error.ts";
import { openAiError } from "../../shared/encode-openai-error.ts";
import type { JsonObject } from "../../shared/json.ts";

export { encodeOpenAiError as encodeError } from "../../shared/encode-openai-error.ts";

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
