/** The kinds of windows. `inFlight` counts a call from its start to its end; `total` never ends. */
export type WindowKind = "minute" | "day" | "month" | "total" | "inFlight";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns when a window began that holds a time, in milliseconds since 1970: minutes, days and months of the UTC
 * calendar.
 */
export function windowStart(kind: WindowKind, nowMs: number): number {
  if (kind === "minute") return nowMs - (nowMs % MINUTE_MS);
  if (kind === "day") return nowMs - (nowMs % DAY_MS);
  if (kind === "month") return monthStart(nowMs, 0);
  return 0;
}

/** Returns when a window ends that holds a time; undefined for a window that no time ends. */
export function windowEnd(kind: WindowKind, nowMs: number): number | undefined {
  if (kind === "minute") return windowStart(kind, nowMs) + MINUTE_MS;
  if (kind === "day") return windowStart(kind, nowMs) + DAY_MS;
  if (kind === "month") return monthStart(nowMs, 1);
  return undefined;
}

function monthStart(nowMs: number, monthsAhead: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead);
}
