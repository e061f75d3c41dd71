import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";

/**
 * Figures as a person would add them up: from the rows, one after the other, with no rollup, no index and no sum that
 * is kept. Nobody makes it faster; it is what all else is compared with.
 */
export const [MINUTE, HOUR, DAY, WEEK] = [60_000, 3_600_000, 86_400_000, 604_800_000];
/** The first Monday of 1970. */
const MONDAY = 4 * DAY;

/** Returns when the step begins that a time lies in; weeks begin on Mondays. */
export function floor(timeMs: number, stepMs: number): number {
  const offset = stepMs === WEEK ? MONDAY : 0;
  return Math.floor((timeMs - offset) / stepMs) * stepMs + offset;
}

/** A time, which begins and ends with the whole units that it touches; where there are no hours any more, with days. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly unit?: number;
  readonly hoursSinceMs?: number;
}

/** Returns when a row was made, which stands in its id. */
export function timeOf({ id }: { readonly id: string }): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns the rows of a time. */
export function within<Row extends { readonly id: string }>(rows: readonly Row[], span: Span): Row[] {
  const { fromMs, toMs, unit = HOUR, hoursSinceMs = 0 } = span;
  return rows.filter((row) => {
    const timeMs = timeOf(row);
    if (timeMs >= hoursSinceMs) return timeMs >= floor(fromMs, unit) && timeMs < floor(toMs + unit - 1, unit);
    return timeMs >= floor(fromMs, DAY) && timeMs < floor(Math.min(toMs, hoursSinceMs) + DAY - 1, DAY);
  });
}

/** Returns the sum of a number of each row; what is not known is nothing. */
export function sum<Row>(rows: readonly Row[], pick: (row: Row) => number | null | undefined): number {
  return rows.reduce((total, row) => total + (pick(row) ?? 0), 0);
}

/** Returns the rows by a text of theirs. */
export function by<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, keyOf)];
}

export const answeredBy = (call: InferenceRow) => call.servedModel || call.model;
export const withStatus = (calls: readonly InferenceRow[], status: string) =>
  calls.filter((call) => call.status === status);
export const completed = (calls: readonly InferenceRow[]) => withStatus(calls, "completed");
export const failed = (calls: readonly InferenceRow[]) => withStatus(calls, "failed");
export const priced = (calls: readonly InferenceRow[]) => calls.filter(({ costNanos }) => costNanos !== null);
export const cost = (calls: readonly InferenceRow[]) => sum(calls, ({ costNanos }) => costNanos);
/** Null where the price of none is known. */
export const knownCost = (calls: readonly InferenceRow[]) => (priced(calls).length === 0 ? null : cost(calls));
/** Of what plain calls cost where both are known: else nothing can be said to be saved. */
export const baseCost = (calls: readonly InferenceRow[]) =>
  sum(priced(calls), ({ costNanos, baseCostNanos }) => baseCostNanos ?? costNanos);
export const routed = (calls: readonly InferenceRow[]) =>
  calls.filter(
    ({ deviation, model, servedModel }) =>
      deviation === "routed" || (deviation === "best_of_n" && servedModel !== model),
  );
export const sent = (calls: readonly InferenceRow[]) =>
  sum(calls, (call) => (call.inputTokens ?? 0) + (call.cacheReadTokens ?? 0) + (call.cacheWriteTokens ?? 0));
export const answered = (calls: readonly InferenceRow[]) => sum(calls, ({ outputTokens }) => outputTokens);

/** Returns a percentile of times; null where there is none. */
export function percentile(times: readonly (number | null | undefined)[], share: number): number | null {
  const known = times.filter((time) => time != null).sort((a, b) => a - b);
  return known[Math.max(1, Math.ceil(share * known.length)) - 1] ?? null;
}
export const latency = (calls: readonly InferenceRow[], share: number) =>
  percentile(
    completed(calls).map(({ latencyMs }) => latencyMs),
    share,
  );
export const firstToken = (calls: readonly InferenceRow[], share: number) =>
  percentile(
    completed(calls).map(({ timeToFirstTokenMs }) => timeToFirstTokenMs),
    share,
  );

/** Returns output tokens for each second of completed calls. */
export function speed(calls: readonly InferenceRow[]): number | null {
  const seconds = sum(completed(calls), ({ latencyMs }) => latencyMs / 1000);
  return seconds === 0 ? null : answered(completed(calls)) / seconds;
}

/** Returns a mean with its interval at 95%, from all values. */
export function estimate(entries: readonly FeedbackEntryRow[]) {
  const [first] = entries;
  if (first === undefined || first.kind === "note") return null;
  const n = entries.length;
  if (first.kind === "boolean") return share(n, entries.filter(({ booleanValue }) => booleanValue === true).length);
  const values = entries.map(({ floatValue }) => floatValue ?? 0);
  const mean = sum(values, (value) => value) / n;
  if (n < 2) return { mean, low: null, high: null };
  const half = student(n - 1) * Math.sqrt(sum(values, (value) => (value - mean) ** 2) / (n - 1) / n);
  // The mean of scores from 0 to 1 is one as well; rollups tell them by their sums, which some a little beyond have too.
  const [total, squares] = [sum(values, (value) => value), sum(values, (value) => value ** 2)];
  const [least, most] = total <= n && squares <= total ? [0, 1] : [-Infinity, Infinity];
  return { mean, low: Math.max(least, mean - half), high: Math.min(most, mean + half) };
}

/** Returns a share with Wilson's interval. */
export function share(n: number, successes: number) {
  const [p, z] = [successes / n, 1.959964];
  const middle = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return { mean: p, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Returns Student's quantile for 97.5%, from tables: of many degrees by their limit, which is near enough. */
function student(degrees: number): number {
  const table = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  ];
  return table[degrees - 1] ?? 1.96 + 2.37 / degrees + 2.8 / degrees ** 2;
}

/** The direction that most entries which have one name; null without any. */
export function direction(entries: readonly FeedbackEntryRow[]): "max" | "min" | null {
  const count = (wanted: string) => entries.filter(({ optimize }) => optimize === wanted).length;
  return count("max") + count("min") === 0 ? null : count("max") >= count("min") ? "max" : "min";
}
