import type { InferenceError } from "../../../hub/error.ts";
import { openAiError } from "../../shared/encode-openai-error.ts";
import { sseData } from "../../shared/sse.ts";

/** Encodes a failure inside a stream. No [DONE] follows: clients throw on the error itself. */
export function encodeErrorEvent(error: InferenceError): string {
  return sseData(JSON.stringify({ error: openAiError(error) }));
}
