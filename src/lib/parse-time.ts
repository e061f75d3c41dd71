/** RFC 3339, 5.6; the seconds may be left out, and `Date` reads the hour 24 too. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Parses a moment such as 2027-01-31T12:00:00Z; undefined if it is none, or its month has no such day. */
export function parseMoment(text: string): Date | undefined {
  const [, day] = MOMENT.exec(text) ?? [];
  return day === undefined || parseDay(day) === undefined ? undefined : new Date(text);
}

/** Parses the beginning of a day in UTC, such as 2027-01-31; undefined if it is none, or its month has no such day. */
export function parseDay(text: string): Date | undefined {
  if (!DAY.test(text)) return undefined;
  // `Date` takes 30 February for 2 March.
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}
