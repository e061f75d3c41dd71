import { setImmediate as nextTurn } from "node:timers/promises";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** The total and the expired amount of a kind, in rows or in periods. */
export interface Expired {
  readonly expired: number;
  readonly total: number;
}

/** Rows that one statement walks over on SQLite, which answers without leaving the event loop: about a millisecond. */
const ROWS_PER_STEP = 5000;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Counts the rows of a table whose ids are less than one, and all. */
export async function countRows(store: Store, table: string, beforeId: string): Promise<Expired> {
  if (store.engine === "postgres") {
    const sql = `select count(*) filter (where id < ?)::float8 as expired, count(*)::float8 as total from "${table}"`;
    const [row] = await readRows<Expired>(store, sql, [beforeId]);
    return { expired: row?.expired ?? 0, total: row?.total ?? 0 };
  }
  const expired = await walk(store, table, { from: "", before: beforeId });
  return { expired, total: expired + (await walk(store, table, { from: beforeId, before: LAST_ID })) };
}

async function walk(store: Store, table: string, range: { from: string; before: string }): Promise<number> {
  let { from } = range;
  for (let count = 0; ; count += ROWS_PER_STEP) {
    const within = `from "${table}" where id >= ? and id < ? order by id`;
    const step = `select id ${within} limit 1 offset ${ROWS_PER_STEP}`;
    const [next] = await readRows<{ id: string }>(store, step, [from, range.before]);
    if (next === undefined) {
      const rest = `select count(*) as count from (select id ${within})`;
      const [row] = await readRows<{ count: number }>(store, rest, [from, range.before]);
      return count + (row?.count ?? 0);
    }
    from = next.id;
    await nextTurn();
  }
}
