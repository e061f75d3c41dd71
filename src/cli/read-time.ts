import { InvalidArgumentError } from "commander";
import { parseDay, parseMoment } from "../lib/parse-time.ts";

/** Reads a time of an option. */
export function readTime(text: string): Date {
  const time = parseMoment(text) ?? parseDay(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError("must be a time such as 2027-01-31 or 2027-01-31T12:00:00Z");
}
