import { PERIODS, type Period, periodAt, periodStart } from "../rollups/period.ts";

/** A range of time; `to` is not part of it. Rollups know whole hours: it begins and ends with the hours it touches. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** Steps of a chart, in UTC; none puts the whole range into one. */
export type Bucket = Period | "none";

/** Periods of one rollup: from the first to before the last. */
export interface RangePart {
  readonly period: Period;
  readonly first: number;
  readonly end: number;
}

/**
 * Returns what to read: whole weeks and days where nothing smaller is asked for, and smaller periods before and after them.
 * There are weeks only before `weeksEnd`.
 */
export function rangeParts({ from, to }: TimeRange, bucket: Bucket, weeksEnd = 0): RangePart[] {
  const hours = { first: periodAt("hour", from.getTime()), end: Math.ceil(to.getTime() / PERIODS.hour) };
  if (bucket === "hour") return notEmpty([{ period: "hour", ...hours }]);
  const withDays = replaceMiddle({ period: "hour", ...hours }, "day", Number.POSITIVE_INFINITY);
  if (bucket === "day") return withDays;
  return withDays.flatMap((part) => (part.period === "day" ? replaceMiddle(part, "week", weeksEnd) : [part]));
}

/** Reads what a part has of whole larger periods, up to the last of them, from these. */
function replaceMiddle(part: RangePart, larger: Period, largerEnd: number): RangePart[] {
  const startMs = (number: number) => periodStart(part.period, number);
  const first = periodAt(larger, startMs(part.first) - 1) + 1;
  const end = Math.min(periodAt(larger, startMs(part.end)), largerEnd);
  if (first >= end) return notEmpty([part]);
  const backAt = (number: number) => periodAt(part.period, periodStart(larger, number));
  return notEmpty([
    { ...part, end: backAt(first) },
    { period: larger, first, end },
    { ...part, first: backAt(end) },
  ]);
}

/** Returns SQL for the number of the bucket that a period lies in. */
export function bucketColumn(bucket: Exclude<Bucket, "none">, period: Period): string {
  if (bucket === period) return "period";
  const [factor, offset] = [PERIODS[bucket] / PERIODS[period], periodStart(bucket, 0) / PERIODS[period]];
  return offset === 0 ? `period / ${factor}` : `(period - ${offset}) / ${factor}`;
}

function notEmpty(parts: readonly RangePart[]): RangePart[] {
  return parts.filter(({ first, end }) => first < end);
}
