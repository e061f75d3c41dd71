import { type ChartPeriod, PERIODS, periodStart } from "../../types/period.ts";

/** Lengths of time in milliseconds. */
export const MINUTE_MS = 60_000;
export const { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS } = PERIODS;

/** Returns when the step begins that a time lies in, in UTC; a step of seven days begins on a Monday. */
export function stepStart(timeMs: number, stepMs: number): number {
  const offset = stepMs === WEEK_MS ? periodStart("week", 0) : 0;
  return Math.floor((timeMs - offset) / stepMs) * stepMs + offset;
}

/** The length of a rollup. */
export type Bucket = ChartPeriod;

/** Returns the largest bucket that a step is made of whole ones of. */
export function getChartPeriod(stepMs: number): Bucket {
  if (stepMs % WEEK_MS === 0) return "week";
  return stepMs % DAY_MS === 0 ? "day" : "hour";
}
