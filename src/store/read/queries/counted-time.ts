import { firstDayKept } from "../../database/first-day-kept.ts";
import { firstIdAt, PERIODS } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import type { TimeRange } from "./range.ts";

/** The time that rollups count for a range. */
interface CountedTime {
  readonly fromMs: number;
  /** Not part of it. */
  readonly toMs: number;
}

/** Returns the time that rollups count for a range: whole hours, and whole days where there are no hours any more. */
export async function countedTime(store: Store, { from, to }: TimeRange): Promise<CountedTime> {
  const hoursSinceMs = (await firstDayKept(store, "hours")) * PERIODS.day;
  const [fromMs, toMs] = [Math.max(0, from.getTime()), to.getTime()];
  const [first, last] = [fromMs, toMs - 1].map((ms) => (ms < hoursSinceMs ? PERIODS.day : PERIODS.hour));
  const { hour } = PERIODS;
  return {
    fromMs: Math.floor(fromMs / (first ?? hour)) * (first ?? hour),
    toMs: Math.ceil(toMs / (last ?? hour)) * (last ?? hour),
  };
}

/** Returns the first id of that time, and the first one after it: what is read from rows agrees with the rollups. */
export async function countedIds(store: Store, range: TimeRange): Promise<readonly [string, string]> {
  const { fromMs, toMs } = await countedTime(store, range);
  return [firstIdAt(fromMs), firstIdAt(toMs)];
}
