import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** Returns the time by the clock that all processes of a database share, in milliseconds since 1970. */
export async function readClock(store: Store): Promise<number> {
  if (store.engine === "sqlite") return Date.now();
  const [row] = await readRows<{ now: number | string }>(
    store,
    "select extract(epoch from clock_timestamp()) * 1000 as now",
    [],
  );
  return Number(row?.now ?? Date.now());
}
