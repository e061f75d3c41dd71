import type { InferenceError } from "../../inference/error.ts";
import { sseData } from "../../wire/sse.ts";
import { openAiError } from "../openai-error.ts";

/** Encodes a failure inside a stream. No [DONE] follows: clients throw on the error itself. */
export function encodeErrorEvent(error: InferenceError): string {
  return sseData(JSON.stringify({ error: openAiError(error) }));
}
