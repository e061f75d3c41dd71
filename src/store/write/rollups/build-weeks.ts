import { type Column, columnsOf } from "../../database/columns.ts";
import { type Executor, readRows, transact } from "../../database/executor.ts";
import { weeksEnd } from "../../database/weeks-end.ts";
import { type UsageRow, UsageWeek } from "../../entities/usage.ts";
import { HISTOGRAMS, mergeHistograms } from "../../types/histogram.ts";
import { PERIODS, periodAt, periodStart } from "../../types/period.ts";
import type { Engine, Store } from "../../types/store.ts";
import { createHistogramUpdater } from "./adder.ts";

/** Any number that nothing else takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_216;
/** The delay after a week's end until its rollup is built, when most late records have arrived. */
const DELAY_MS = PERIODS.day;

/** Keeps weeks from being made until the transaction ends. On SQLite there is no other transaction that writes. */
export async function holdWeeks(execute: Executor, engine: Engine): Promise<void> {
  if (engine === "postgres") await execute("select pg_advisory_xact_lock_shared($1)", [ADVISORY_LOCK]);
}

/**
 * Sums up the days of each project by weeks that are over, so that a year is read from few rows. Each week is a short
 * transaction of its own, which waits for those who write and lets them wait. Returns how many weeks were made; those
 * that remain when the signal aborts are made by the next call.
 */
export async function buildWeeks(store: Store, now: Date, signal?: AbortSignal): Promise<number> {
  const end = periodAt("week", now.getTime() - DELAY_MS);
  const columns = columnsOf(store.fork(), UsageWeek);
  let built = 0;
  for (const { id } of await readRows<{ id: string }>(store, "select id from project order by id", [])) {
    while (
      signal?.aborted !== true &&
      (await transact(store, (execute) => buildNext(execute, store.engine, { id, end, columns })))
    ) {
      built += 1;
    }
  }
  return built;
}

interface Task {
  readonly id: string;
  /** The week before which weeks are made. */
  readonly end: number;
  readonly columns: readonly Column[];
}

/** Makes the next week in which something was counted; false where there is none. */
async function buildNext(execute: Executor, engine: Engine, { id, end, columns }: Task): Promise<boolean> {
  if (engine === "postgres") await execute("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
  const dayOf = (week: number) => periodStart("week", week) / PERIODS.day;
  const mark = (number: number) => (engine === "postgres" ? `$${number}` : `?${number}`);
  const next = `select min(period) as day from usage_day where project_id = ${mark(1)} and period >= ${mark(2)}`;
  const [row] = await execute<{ day: number | null }>(next, [id, dayOf(await weeksEnd(execute, engine, id))]);
  const week = typeof row?.day === "number" ? periodAt("week", row.day * PERIODS.day) : end;
  if (week >= end) return false;
  await execute(sumDays(engine, columns), [id, dayOf(week), dayOf(week + 1), week]);
  if (engine === "postgres") await mergeEach(execute, { columns, id, week });
  return true;
}

function sumDays(engine: Engine, columns: readonly Column[]): string {
  const values = columns.map((column) => {
    if (column.property === "period") return engine === "postgres" ? "$4::int" : "?4";
    return column.isKey ? `"${column.name}"` : sumOf(engine, column);
  });
  const keys = columns.filter(({ isKey, property }) => isKey && property !== "period").map(({ name }) => `"${name}"`);
  const [id, first, before] = engine === "postgres" ? ["$1", "$2", "$3"] : ["?1", "?2", "?3"];
  return `insert into usage_week (${columns.map(({ name }) => `"${name}"`).join(", ")}) select ${values.join(", ")}
    from usage_day where project_id = ${id} and period >= ${first} and period < ${before} group by ${keys.join(", ")}`;
}

/** Sums that no column holds become the largest that it does. */
function sumOf(engine: Engine, { name, property }: Column): string {
  const isHistogram = HISTOGRAMS.includes(property);
  if (engine === "sqlite") {
    return isHistogram ? `merge_histograms(group_concat("${name}", ''), '')` : `cast(total("${name}") as integer)`;
  }
  return isHistogram
    ? `string_agg("${name}", '')`
    : `greatest(-9223372036854775807, least(sum("${name}"), 9223372036854775807))::bigint`;
}

/** The histograms of days stand one after the other: each bucket is written once. */
async function mergeEach(
  execute: Executor,
  { columns, id, week }: { columns: readonly Column[]; id: string; week: number },
): Promise<void> {
  const names = columns
    .filter(({ isKey, property }) => isKey || HISTOGRAMS.includes(property))
    .map(({ name, property }) => `"${name}" as "${property}"`);
  const sql = `select ${names.join(", ")} from usage_week where project_id = $1 and period = $2`;
  const rows = await execute<UsageRow>(sql, [id, week]);
  const merged = rows.map(({ latencies, firstTokens, ...keys }) => ({
    ...keys,
    latencies: mergeHistograms(latencies),
    firstTokens: mergeHistograms(firstTokens),
  }));
  await createHistogramUpdater("usage_week", columns)(execute, merged);
}
