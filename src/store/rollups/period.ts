import { idTimeMs } from "../../lib/ids.ts";

/** What rollups are kept by, and its length in milliseconds. */
export const PERIODS = { hour: 3_600_000, day: 86_400_000 } as const;

/** hour or day. */
export type Period = keyof typeof PERIODS;

/** Returns the number of the period since 1970, UTC, in which an id was made; of the time given, if the id has none. */
export function periodOf(period: Period, id: string, otherwise: Date): number {
  return Math.floor((idTimeMs(id) ?? otherwise.getTime()) / PERIODS[period]);
}

/** Returns the smallest id that could be made at a time. Ids of an earlier time are less, all of later ones are not. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
