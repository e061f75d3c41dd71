import { isJsonObject, type JsonObject, parseJson } from "./json.ts";

/**
 * Parses the body of an error: an object, or a list of one, as Google's endpoint for OpenAI's formats sends it;
 * undefined for anything else.
 */
export function parseErrorBody(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  const body = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isJsonObject(body) ? body : undefined;
}

/** Parses an error that came in place of an answer as a list of one; undefined for anything else. */
export function parseListedError(text: string): JsonObject | undefined {
  const body = text.startsWith("[") ? parseErrorBody(text) : undefined;
  return isJsonObject(body?.["error"]) ? body : undefined;
}
