import { sql } from "kysely";
import type { Store } from "../types/store.ts";

/** Returns the time in so many milliseconds, by the clock that all processes of a database share. */
export function databaseTime({ engine }: Pick<Store, "engine">, inMs: number) {
  if (engine === "sqlite") return new Date(Date.now() + inMs);
  return sql<Date>`now() + make_interval(secs => ${inMs / 1000})`;
}
