import { InvalidArgumentError } from "commander";

/** Reads a time of an option. */
export function readTime(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("must be a time such as 2027-01-31 or 2027-01-31T12:00:00Z");
}
