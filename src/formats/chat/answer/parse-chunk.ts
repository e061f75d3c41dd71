import { brokenAnswer } from "../../shared/broken-answer.ts";
import { decodeOpenAiErrorObject } from "../../shared/decode-openai-error.ts";
import { isErrorObject } from "../../shared/errors/is-error.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../shared/json.ts";
import { parseListedError } from "../../shared/parse-error-body.ts";
import type { KnownFacts } from "../../shared/protocol.ts";

/** Tells whether a chunk, or a whole answer, is an error. */
export function isError(chunk: JsonObject, event: string | undefined, profile: KnownFacts): boolean {
  if (event === "error") return true;
  const { choices } = chunk;
  const hasAnswer = Array.isArray(choices) && (choices.length > 0 || isJsonObject(chunk.usage));
  return isErrorObject(chunk, hasAnswer, profile);
}

/**
 * Parses a chunk, which `what` names. Throws STREAM_INTERRUPTED for what is no object, and an error that a list holds.
 */
export function parseChunk(text: string, what: string, profile: KnownFacts): JsonObject {
  let chunk: unknown;
  try {
    chunk = parseJson(text);
  } catch (cause) {
    throw brokenAnswer(`${what} is not JSON`, cause);
  }
  if (isJsonObject(chunk)) return chunk;
  const listed = parseListedError(text);
  throw listed === undefined ? brokenAnswer(`${what} is not a JSON object`) : decodeOpenAiErrorObject(listed, profile);
}
