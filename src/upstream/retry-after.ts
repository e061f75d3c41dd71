/**
 * Reads how long an answer asks the caller to wait, in milliseconds, from retry-after-ms or retry-after (seconds or date). A date
 * counts from the answer's own `date`, or else from `now`: the clocks of two machines need not agree.
 */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  const exact = toNumber(headers["retry-after-ms"]);
  if (exact !== undefined) return exact;
  const value = headers["retry-after"];
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = typeof value === "string" ? Date.parse(value) : Number.NaN;
  const sent = Date.parse(String(headers["date"]));
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sent) ? now : sent));
}

function toNumber(value: string | string[] | undefined): number | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
