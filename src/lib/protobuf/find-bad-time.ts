import type { DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { isObject } from "../is-object.ts";
import { parseMoment } from "../parse-time.ts";

/** Schemas by whether their messages have times. */
const timed = new WeakMap<DescMessage, boolean>();

/**
 * Returns the place of a time in a message's JSON whose month has no such day, which the library takes for a day of the
 * next month; undefined if there is none.
 */
export function findBadTime(schema: DescMessage, json: unknown): string | undefined {
  if (!isObject(json) || !hasTimes(schema)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const message = schema.fields.find((field) => field.name === name || field.jsonName === name)?.message;
    if (message === undefined) continue;
    const found = (Array.isArray(value) ? value : [value])
      .map((each) => (message === TimestampSchema ? problemAt(each) : findBadTime(message, each)))
      .find((place) => place !== undefined);
    if (found !== undefined) return found === "" ? name : `${name}.${found}`;
  }
  return undefined;
}

/** All else that may be wrong with a time the library tells. */
function problemAt(value: unknown): "" | undefined {
  return typeof value !== "string" || Number.isNaN(Date.parse(value)) || parseMoment(value) !== undefined
    ? undefined
    : "";
}

/** Tells whether a message, or one within it, has a time; most have none, and are not looked through. */
export function hasTimes(schema: DescMessage): boolean {
  const known = timed.get(schema);
  if (known !== undefined) return known;
  // A message may be within itself.
  const seen = new Set([schema]);
  for (const { fields } of seen) for (const { message } of fields) if (message !== undefined) seen.add(message);
  const found = seen.has(TimestampSchema);
  timed.set(schema, found);
  return found;
}
