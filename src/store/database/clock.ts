import { sql } from "kysely";
import { createSteadyClock } from "../../lib/steady-clock.ts";
import type { Store } from "../types/store.ts";
import { readRows } from "./executor.ts";

/** Returns the time by the clock that all processes of a database share, in whole milliseconds since 1970. */
export async function readClock(store: Store): Promise<number> {
  if (store.engine === "sqlite") return Date.now();
  const [row] = await readRows<{ now: number | string }>(
    store,
    "select extract(epoch from clock_timestamp()) * 1000 as now",
    [],
  );
  return Math.round(Number(row?.now ?? Date.now()));
}

/**
 * Reads that clock once, and returns one that tells its time from then on, whatever this machine's is set to. Rejects
 * if the database fails.
 */
export async function openClock(store: Store): Promise<() => number> {
  const aheadMs = (await readClock(store)) - Date.now();
  const steady = createSteadyClock();
  return () => steady() + aheadMs;
}

/** Returns the time in so many milliseconds by that clock, for a query to compare or to write. */
export function databaseTime({ engine }: Pick<Store, "engine">, inMs = 0) {
  if (engine === "sqlite") return new Date(Date.now() + inMs);
  return sql<Date>`now() + make_interval(secs => ${inMs / 1000})`;
}

/** Returns how many milliseconds ago the time of a column was by that clock, for a query to select. */
export function msSince({ engine }: Pick<Store, "engine">, column: string) {
  const time = sql.ref(column);
  if (engine === "sqlite") return sql<number>`${Date.now()} - ${time}`;
  return sql<number>`(extract(epoch from now() - ${time}) * 1000)::float8`;
}
