/** The longest time that clients' timers take: 24 days. What is further away is as good as never. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Reads how long an answer asks the caller to wait, in milliseconds, from retry-after-ms or retry-after (seconds or
 * date). A date counts from the answer's own `date`, or else from `now`: the clocks of two machines need not agree. A
 * time that is longer than 24 days becomes 24 days; one that is over is none, and what is no time at all is passed
 * over.
 */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  const exact = toNumber(headers["retry-after-ms"]);
  if (exact !== undefined) return Math.min(exact, LONGEST_MS);
  const value = headers["retry-after"];
  const seconds = toNumber(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, LONGEST_MS);
  // Of texts without a word, the parser would make dates of its own.
  const date = typeof value === "string" && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  const sent = Date.parse(String(headers["date"]));
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(0, date - (Number.isNaN(sent) ? now : sent)), LONGEST_MS);
}

function toNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
