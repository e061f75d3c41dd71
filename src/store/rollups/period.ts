import { idTimeMs } from "../../lib/ids.ts";

/** The lengths of hours and days in milliseconds. */
export const PERIODS = { hour: 3_600_000, day: 86_400_000 } as const;

/** The first Monday of 1970, in days: weeks begin on Mondays. */
export const FIRST_MONDAY = 4;

/** What rollups are kept by. */
export type Period = keyof typeof PERIODS | "month";

/** Returns the number of the period since 1970, UTC, in which an id was made; of the time given, if the id has none. */
export function periodOf(period: Period, id: string, otherwise: Date): number {
  return periodAt(period, idTimeMs(id) ?? otherwise.getTime());
}

/** Returns the number of the period since 1970, UTC, in which a time lies. */
export function periodAt(period: Period, timeMs: number): number {
  if (period !== "month") return Math.floor(timeMs / PERIODS[period]);
  const time = new Date(timeMs);
  return (time.getUTCFullYear() - 1970) * 12 + time.getUTCMonth();
}

/** Returns when a period begins, in milliseconds since 1970. */
export function periodStart(period: Period, number: number): number {
  return period === "month" ? Date.UTC(1970, number) : number * PERIODS[period];
}

/** Returns the smallest id that could be made at a time. Ids of an earlier time are less, all of later ones are not. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
