import { setImmediate } from "node:timers/promises";
import { listColumns } from "../../database/columns.ts";
import { createExecutor, type Executor, readRows, transact } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { periodsEnds } from "../../database/periods-end.ts";
import { firstPeriodFrom, PERIODS, periodAt, periodStart } from "../../types/period.ts";
import type { Engine, Store } from "../../types/store.ts";
import { LARGER_ROLLUPS, type LargerRollup } from "./larger-rollups.ts";
import { sumPeriod } from "./sum-period.ts";

/** Any number that nothing else takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_216;
/** The delay after a period's end until its rollup is built, when most late records have arrived. */
const DELAY_MS = PERIODS.day;

/** Keeps periods from being made until the transaction ends. On SQLite there is no other transaction that writes. */
export async function holdPeriods(execute: Executor, engine: Engine): Promise<void> {
  if (engine === "postgres") await execute("select pg_advisory_xact_lock_shared($1)", [ADVISORY_LOCK]);
}

/**
 * Sums up the days of each project by weeks that are over, and weeks by four, so that a year is read from few rows.
 * Each period is a short transaction of its own, which waits for those who write and lets them wait. Returns how many
 * were made; those that remain when the signal aborts are made by the next call.
 */
export async function buildPeriods(store: Store, now: Date, signal?: AbortSignal): Promise<number> {
  const firstMs = (await firstDayKept(store, "figures")) * PERIODS.day;
  const before = now.getTime() - DELAY_MS;
  let built = 0;
  // The rows of a project that is deleted go: nothing may be made of those that are left.
  const projects = "select id from project where deleted_at is null order by id";
  for (const { id } of await readRows<{ id: string }>(store, projects, [])) {
    for (const rollup of LARGER_ROLLUPS) {
      const task = { projectId: id, rollup, before, firstMs };
      while (signal?.aborted !== true && (await buildNext(store, task))) {
        built += 1;
        // A transaction of SQLite ends without a turn of the event loop: callers have theirs between two periods.
        await setImmediate();
      }
    }
  }
  return built;
}

interface Task {
  readonly projectId: string;
  readonly rollup: LargerRollup;
  /** The time up to which periods are made. */
  readonly before: number;
  /** The time before which figures were deleted: of a period that began earlier, not all is there. */
  readonly firstMs: number;
}

/** Makes the next period in which something was counted; false where there is none. */
async function buildNext(store: Store, task: Task): Promise<boolean> {
  const { engine } = store;
  const { rollup, projectId } = task;
  // Looked up first without the lock, for which writers would have to wait.
  if ((await findNext(createExecutor(store.query()), engine, task)) === undefined) return false;
  return await transact(store, async (execute) => {
    if (engine === "postgres") await execute("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    const period = await findNext(execute, engine, task);
    if (period === undefined) return false;
    const { made } = rollup.source;
    // A row that was written late may have made a day of a week that is not there.
    if (made !== undefined && (await findNext(execute, engine, { ...task, rollup: made })) !== undefined) return false;
    const columns = listColumns(store.fork(), rollup.entity);
    await sumPeriod(execute, engine, { rollup, columns, projectId, period });
    return true;
  });
}

/** Finds the first period that is over, has something of the source, and is not made yet. */
async function findNext(execute: Executor, engine: Engine, task: Task): Promise<number | undefined> {
  const { projectId, before, firstMs, rollup } = task;
  const { table, period, source } = rollup;
  const { [table]: end = 0 } = await periodsEnds(execute, engine, { tables: [table], projectId });
  const first = periodStart(period, Math.max(end, firstPeriodFrom(period, firstMs)));
  const mark = (number: number) => (engine === "postgres" ? `$${number}` : `?${number}`);
  const sql = `select min(period) as first from ${source.table} where project_id = ${mark(1)} and period >= ${mark(2)}`;
  const [row] = await execute<{ first: number | null }>(sql, [projectId, periodAt(source.period, first)]);
  if (typeof row?.first !== "number") return undefined;
  const next = periodAt(period, periodStart(source.period, row.first));
  return next < periodAt(period, before) ? next : undefined;
}
