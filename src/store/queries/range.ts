import type { Period } from "../rollups/period.ts";
import { PERIODS } from "../rollups/period.ts";

/** A range of time; `to` is not part of it. Rollups know whole hours: it begins and ends with the hours it touches. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** Steps of a chart, in UTC; none puts the whole range into one. */
export type Bucket = "hour" | "day" | "month" | "none";

/** Periods of one rollup: from the first to before the last. */
export interface RangePart {
  readonly period: Period;
  readonly first: number;
  readonly end: number;
}

const HOURS_PER_DAY = 24;

/** Returns what to read: whole days where hours are not asked for, and hours before and after them. */
export function rangeParts({ from, to }: TimeRange, bucket: Bucket): RangePart[] {
  const first = Math.floor(from.getTime() / PERIODS.hour);
  const end = Math.ceil(to.getTime() / PERIODS.hour);
  const firstDay = Math.ceil(first / HOURS_PER_DAY);
  const endDay = Math.floor(end / HOURS_PER_DAY);
  if (bucket === "hour" || firstDay >= endDay) return notEmpty([{ period: "hour", first, end }]);
  return notEmpty([
    { period: "hour", first, end: firstDay * HOURS_PER_DAY },
    { period: "day", first: firstDay, end: endDay },
    { period: "hour", first: endDay * HOURS_PER_DAY, end },
  ]);
}

/** Returns when the bucket begins that a period lies in. */
export function bucketStart(bucket: Bucket, period: Period, number: number): Date | undefined {
  if (bucket === "none") return undefined;
  const start = new Date(number * PERIODS[period]);
  if (bucket === "day") start.setUTCHours(0);
  if (bucket === "month") start.setTime(Date.UTC(start.getUTCFullYear(), start.getUTCMonth()));
  return start;
}

function notEmpty(parts: readonly RangePart[]): RangePart[] {
  return parts.filter(({ first, end }) => first < end);
}
