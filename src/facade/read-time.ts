import { InferenceError } from "../hub/error.ts";

/** Reads a time of an address. Throws INVALID_REQUEST. */
export function readTime(value: string, name: string): Date {
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw InferenceError.invalid(name, "must be a time such as 2027-01-31T00:00:00Z");
}
