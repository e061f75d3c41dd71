import { isJsonObject, type JsonObject } from "./json.ts";

/** The longest delay that a body may ask for: a day. */
const LONGEST_MS = 86_400_000;

/** Members that servers write a delay into, in seconds. */
const SECONDS = ["retry_after", "retryAfter", "retry_after_seconds"] as const;

/**
 * Reads how long an error's body asks the caller to wait, in milliseconds: `retry_after`, in seconds, beside the error
 * or inside of it, or the `retryDelay` of Google's RetryInfo ("45.837906927s"); undefined if it asks for nothing.
 */
export function readRetryDelay(body: JsonObject): number | undefined {
  const error = isJsonObject(body["error"]) ? body["error"] : body;
  const { details, metadata } = error;
  const places = [error, body, ...(isJsonObject(metadata) ? [metadata] : [])];
  const named = places.flatMap((place) => SECONDS.map((name) => place[name]));
  const listed = Array.isArray(details) ? details.filter(isJsonObject).map((entry) => entry["retryDelay"]) : [];
  for (const value of [...listed, ...named]) {
    const seconds = toSeconds(value);
    if (seconds !== undefined) return Math.min(Math.ceil(seconds * 1000), LONGEST_MS);
  }
  return undefined;
}

function toSeconds(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 && Number.isFinite(value) ? value : undefined;
  const found = typeof value === "string" ? /^\s*(\d{1,9}(?:\.\d{1,9})?)s?\s*$/.exec(value) : null;
  return found === null ? undefined : Number(found[1]);
}
