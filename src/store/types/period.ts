import { idTimeMs } from "../../lib/ids.ts";

/** The lengths of periods in milliseconds. Each begins and ends with whole ones of the shorter periods. */
export const PERIODS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, four_weeks: 2_419_200_000 } as const;

/** The length of a rollup. */
export type Period = keyof typeof PERIODS;

/** The step of a chart. */
export type ChartPeriod = Exclude<Period, "four_weeks">;

/** When the first period begins that has the number 0: weeks begin on Mondays, and 1970 began on a Thursday. */
const FIRST_MS = { hour: 0, day: 0, week: 4 * PERIODS.day, four_weeks: 4 * PERIODS.day } as const;

/** Returns the number of the period since 1970, UTC, in which an id was made; of the time given, if the id has none. */
export function getPeriod(period: Period, id: string, otherwise: Date): number {
  return periodAt(period, idTimeMs(id) ?? otherwise.getTime());
}

/** Returns the number of the period since 1970, UTC, in which a time lies. */
export function periodAt(period: Period, timeMs: number): number {
  return Math.floor((timeMs - FIRST_MS[period]) / PERIODS[period]);
}

/** Returns the number of the first period that begins at a time, or after it. */
export function firstPeriodFrom(period: Period, timeMs: number): number {
  return periodAt(period, timeMs - 1) + 1;
}

/** Returns when a period begins, in milliseconds since 1970. */
export function periodStart(period: Period, number: number): number {
  return number * PERIODS[period] + FIRST_MS[period];
}

/** Returns the smallest id that could be made at a time. Ids of an earlier time are less, all of later ones are not. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
