import { NANOS_PER_USD, nanosToUsd } from "../../../vocabulary/money.ts";
import { VIEWER_ZONE } from "./zone.ts";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const dates = new Map<string, Intl.DateTimeFormat>();
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** The text for a missing value. */
export const NONE = "–";

/** Writes a count in full: 12,345. */
export function formatNumber(count: number | null | undefined): string {
  return count === null || count === undefined ? NONE : whole.format(count);
}

/** Writes a count with three digits: 12.3K. */
export function formatShort(count: number | null | undefined): string {
  return count === null || count === undefined ? NONE : short.format(count);
}

/** Writes a share of one: 12.3%; one that rounds to nothing, and is something, says so. */
export function formatPercent(share: number | null | undefined): string {
  if (share === null || share === undefined) return NONE;
  return share > 0 && share < 0.0005 ? "<0.1%" : percent.format(share);
}

/** Writes tokens: 12,345 tokens. */
export function formatTokens(tokens: number | null | undefined): string {
  if (tokens === null || tokens === undefined) return NONE;
  return tokens === 1 ? "1 token" : `${whole.format(tokens)} tokens`;
}

/** Writes nano-dollars as dollars, exactly: every digit that there is, and at least two behind the point. */
export function formatCost(nanos: number | bigint | null | undefined): string {
  if (nanos === null || nanos === undefined) return NONE;
  const [, sign = "", whole = "", decimals = ""] = /^(-?)(\d+)(.*)$/.exec(nanosToUsd(nanos, 2)) ?? [];
  return `${sign}$${BigInt(whole).toLocaleString("en-US")}${decimals}`;
}

/** Writes nano-dollars as dollars: cents from a dollar on, three digits that count below. $0.00123, $90.50, $1,235. */
export function formatShortCost(nanos: number | null | undefined): string {
  if (nanos === null || nanos === undefined) return NONE;
  const dollars = nanos / NANOS_PER_USD;
  const size = Math.abs(dollars);
  const shown = size < 1 ? Number(dollars.toPrecision(3)) : dollars;
  const places = size < 1 ? [2, 12] : size < 100 ? [2, 2] : [0, 0];
  const [minimumFractionDigits, maximumFractionDigits] = places;
  const style = { style: "currency", currency: "USD", minimumFractionDigits, maximumFractionDigits } as const;
  return new Intl.NumberFormat("en-US", style).format(shown);
}

/** Writes a cost in a list whose rows come page by page, where alignDecimals() knows too few: zeros stay. $0.00460. */
export function formatListedCost(nanos: number | null | undefined): string {
  if (nanos === null || nanos === undefined || nanos === 0 || Math.abs(nanos) >= NANOS_PER_USD)
    return formatShortCost(nanos);
  const digits = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", ...digits }).format(
    nanos / NANOS_PER_USD,
  );
}

/** Marks what is an estimate: ≈ $0.00123. */
export function markEstimate(text: string, isEstimate: boolean): string {
  return isEstimate && text !== NONE ? `≈ ${text}` : text;
}

/** Marks a cost that leaves something out: at least so much. */
export function markGaps(text: string, gaps: readonly string[]): string {
  return gaps.length > 0 && text !== NONE ? `≥ ${text}` : text;
}

/** Writes a time that was measured, beside others: 0.4 ms, 850 ms, 6.60 s, 2 min 5 s, 3 h 20 min. */
export function formatLatency(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || ms < 999.5 || ms >= 59_995) return formatDuration(ms);
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Writes milliseconds: 0.4 ms, 850 ms, 1.25 s, 5 s, 2 min 5 s, 3 h 20 min. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return NONE;
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${Number((ms / 1000).toFixed(2))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${whole.format(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** Writes a time by the viewer's clock, with its zone: 21 Nov 2026, 15:05 CET. */
export function formatTime(time: string | Date | null | undefined, zone: string = VIEWER_ZONE): string {
  if (time === null || time === undefined) return NONE;
  let date = dates.get(zone);
  if (date === undefined) {
    const day = { day: "numeric", month: "short", year: "numeric" } as const;
    const clock = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
    date = new Intl.DateTimeFormat("en-GB", { ...day, ...clock, timeZone: zone });
    dates.set(zone, date);
  }
  return date.format(new Date(time));
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Writes a time of today by the viewer's clock: 15:05:09. */
export function formatClock(time: number): string {
  return clock.format(time);
}

const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Writes how far a time is from `now`: 3 minutes ago, in 2 days. */
export function formatAgo(time: string | Date | null | undefined, now = Date.now()): string {
  if (time === null || time === undefined) return NONE;
  const distance = new Date(time).getTime() - now;
  const [unit, size] = UNITS.find(([, unitMs]) => Math.abs(distance) >= unitMs) ?? [undefined, 1];
  return unit === undefined ? "just now" : relative.format(Math.trunc(distance / size), unit);
}
