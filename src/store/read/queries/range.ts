import { type ChartPeriod, firstPeriodFrom, PERIODS, type Period, periodAt, periodStart } from "../../types/period.ts";

/** A range of time; `to` is not part of it. Rollups know whole hours: it begins and ends with the hours it touches. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

const HOURS_PER_DAY = PERIODS.day / PERIODS.hour;

/** Steps of a chart, in UTC; none puts the whole range into one. */
export type Bucket = ChartPeriod | "none";

/** Periods of one rollup: from the first to before the last. */
export interface RangePart {
  readonly period: Period;
  readonly first: number;
  readonly end: number;
}

/** The periods that are kept. */
export interface RetainedPeriods {
  /** The week before which there are weeks. */
  readonly weeksEnd?: number;
  /** The first time of four weeks that is whole, and the one before which there are some. */
  readonly fourWeeks?: { readonly first: number; readonly end: number };
  /** The day from which on there are hours. */
  readonly firstDayOfHours?: number;
}

/**
 * Returns what to read: whole longer periods where nothing smaller is asked for, and smaller ones before and after
 * them; whole days where there are no hours any more.
 */
export function rangeParts(range: TimeRange, bucket: Bucket, kept: RetainedPeriods = {}): RangePart[] {
  const { weeksEnd = 0, fourWeeks = { first: 0, end: 0 }, firstDayOfHours = 0 } = kept;
  // Nothing was called before 1970, which is where the numbers of periods begin.
  const hours = {
    first: periodAt("hour", Math.max(0, range.from.getTime())),
    end: Math.ceil(range.to.getTime() / PERIODS.hour),
  };
  const all: RangePart = { period: "hour", ...hours };
  const withDays = bucket === "hour" ? notEmpty([all]) : replaceMiddle(all, "day", EVERY);
  const withFourWeeks = bucket === "none" ? replaceDays(withDays, "four_weeks", fourWeeks) : withDays;
  const withWeeks =
    bucket === "none" || bucket === "week"
      ? replaceDays(withFourWeeks, "week", { ...EVERY, end: weeksEnd })
      : withFourWeeks;
  return withWeeks.flatMap((part) => (part.period === "hour" ? replaceGone(part, firstDayOfHours) : [part]));
}

/** Reads the days that hours touch which are not kept any more. */
function replaceGone({ first, end }: RangePart, firstDayOfHours: number): RangePart[] {
  const firstHour = firstDayOfHours * HOURS_PER_DAY;
  return notEmpty([
    {
      period: "day",
      first: Math.floor(first / HOURS_PER_DAY),
      end: Math.ceil(Math.min(end, firstHour) / HOURS_PER_DAY),
    },
    { period: "hour", first: Math.max(first, firstHour), end },
  ]);
}

/** The periods that there are: from the first to before the end. */
interface Available {
  readonly first: number;
  readonly end: number;
}

const EVERY: Available = { first: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

function replaceDays(parts: readonly RangePart[], larger: Period, available: Available): RangePart[] {
  return parts.flatMap((part) => (part.period === "day" ? replaceMiddle(part, larger, available) : [part]));
}

/** Reads what a part has of whole larger periods, as far as they are available, from these. */
function replaceMiddle(part: RangePart, larger: Period, available: Available): RangePart[] {
  const startMs = (number: number) => periodStart(part.period, number);
  const first = Math.max(firstPeriodFrom(larger, startMs(part.first)), available.first);
  const end = Math.min(periodAt(larger, startMs(part.end)), available.end);
  if (first >= end) return notEmpty([part]);
  const backAt = (number: number) => periodAt(part.period, periodStart(larger, number));
  return notEmpty([
    { ...part, end: backAt(first) },
    { period: larger, first, end },
    { ...part, first: backAt(end) },
  ]);
}

/** Returns SQL for the number of the bucket that a period lies in; of the first one, where it has several. */
export function bucketColumn(bucket: Exclude<Bucket, "none">, period: Period): string {
  if (bucket === period) return "period";
  if (bucket === "hour") return `period * ${PERIODS[period] / PERIODS.hour}`;
  const [factor, offset] = [PERIODS[bucket] / PERIODS[period], periodStart(bucket, 0) / PERIODS[period]];
  return offset === 0 ? `period / ${factor}` : `(period - ${offset}) / ${factor}`;
}

function notEmpty(parts: readonly RangePart[]): RangePart[] {
  return parts.filter(({ first, end }) => first < end);
}
