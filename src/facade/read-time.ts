import { InferenceError } from "../hub/error.ts";
import { parseMoment } from "../lib/parse-time.ts";

/** Reads a time of an address. Throws INVALID_REQUEST. */
export function readTime(value: string, name: string): Date {
  const time = parseMoment(value);
  if (time !== undefined) return time;
  throw InferenceError.invalid(name, "must be a time such as 2027-01-31T00:00:00Z");
}
