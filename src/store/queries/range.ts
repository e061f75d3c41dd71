import { FIRST_MONDAY, PERIODS, type Period, periodAt, periodStart } from "../rollups/period.ts";

/** A range of time; `to` is not part of it. Rollups know whole hours: it begins and ends with the hours it touches. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** Steps of a chart, in UTC; none puts the whole range into one. */
export type Bucket = "hour" | "day" | "week" | "month" | "none";

/** Periods of one rollup: from the first to before the last. */
export interface RangePart {
  readonly period: Period;
  readonly first: number;
  readonly end: number;
}

const HOURS_PER_DAY = 24;

/**
 * Returns what to read: whole months and days where nothing smaller is asked for, and smaller periods before and after them.
 * There are months only before `monthsEnd`.
 */
export function rangeParts({ from, to }: TimeRange, bucket: Bucket, monthsEnd = 0): RangePart[] {
  const first = periodAt("hour", from.getTime());
  const end = Math.ceil(to.getTime() / PERIODS.hour);
  const firstDay = Math.ceil(first / HOURS_PER_DAY);
  const endDay = Math.floor(end / HOURS_PER_DAY);
  if (bucket === "hour" || firstDay >= endDay) return notEmpty([{ period: "hour", first, end }]);
  return notEmpty([
    { period: "hour", first, end: firstDay * HOURS_PER_DAY },
    ...dayParts(firstDay, endDay, bucket === "month" || bucket === "none" ? monthsEnd : 0),
    { period: "hour", first: endDay * HOURS_PER_DAY, end },
  ]);
}

function dayParts(first: number, end: number, monthsEnd: number): RangePart[] {
  const firstMonth = periodAt("month", first * PERIODS.day - 1) + 1;
  const endMonth = Math.min(periodAt("month", end * PERIODS.day), monthsEnd);
  if (firstMonth >= endMonth) return [{ period: "day", first, end }];
  const dayOf = (month: number) => periodStart("month", month) / PERIODS.day;
  return [
    { period: "day", first, end: dayOf(firstMonth) },
    { period: "month", first: firstMonth, end: endMonth },
    { period: "day", first: dayOf(endMonth), end },
  ];
}

/** How the database puts periods into the steps of a chart. */
export interface Steps {
  /** SQL for the number of a period's step. */
  readonly sql: string;
  /** Returns when the step with a number begins, in milliseconds since 1970. */
  startMs(number: number): number;
}

const DAYS_PER_WEEK = 7;

/** Returns the steps of a chart, other than of one step, in the rollup of a period. */
export function stepsOf(bucket: Exclude<Bucket, "none">, period: Period): Steps {
  const day = period === "hour" ? `period / ${HOURS_PER_DAY}` : "period";
  if (bucket === "day") return { sql: day, startMs: (number) => number * PERIODS.day };
  if (bucket === "week") {
    return {
      sql: `(${day} - ${FIRST_MONDAY}) / ${DAYS_PER_WEEK}`,
      startMs: (number) => (number * DAYS_PER_WEEK + FIRST_MONDAY) * PERIODS.day,
    };
  }
  // Months are of different lengths: what comes from smaller periods is put together afterwards.
  const startMs = (number: number) => periodStart(bucket, periodAt(bucket, periodStart(period, number)));
  return { sql: "period", startMs };
}

function notEmpty(parts: readonly RangePart[]): RangePart[] {
  return parts.filter(({ first, end }) => first < end);
}
