import { HISTOGRAMS, mergeHistograms } from "../../../figures/histogram.ts";
import type { Column } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import { type SummedColumn, sumColumn } from "../../database/sum-column.ts";
import { ALL_KEYS } from "../../entities/usage-fact.ts";
import { periodAt, periodStart } from "../../types/period.ts";
import type { Engine } from "../../types/store.ts";
import { createHistogramUpdater } from "./adder.ts";
import type { LargerRollup } from "./larger-rollups.ts";

/** Rows whose histograms are merged at a time. */
const ROWS_AT_ONCE = 1000;

/** Columns of rollups without a status, by the calls that they are of. */
const OF_STATUS: Readonly<Record<string, SummedColumn>> = {
  failed_calls: { column: "calls", of: "failed" },
  latencies: { column: "latencies", of: "completed" },
};

interface PeriodToSum {
  readonly rollup: LargerRollup;
  /** Of the rollup's table. */
  readonly columns: readonly Column[];
  readonly projectId: string;
  readonly period: number;
}

/** Writes the rows of a period, which has none yet, from those of its source. */
export async function sumPeriod(execute: Executor, engine: Engine, task: PeriodToSum): Promise<void> {
  const { rollup, projectId, period } = task;
  const { source } = rollup;
  const firstOf = (number: number) => periodAt(source.period, periodStart(rollup.period, number));
  await execute(sumSource(engine, task), [projectId, firstOf(period), firstOf(period + 1), period]);
  if (rollup.addsAllKeys) await execute(sumKeys(engine, task), [projectId, period]);
  if (engine === "postgres") await mergeEach(execute, task);
}

function sumSource(engine: Engine, { rollup, columns }: PeriodToSum): string {
  const hasStatus = columns.some(({ property }) => property === "status");
  // Without a status, the rows tell some calls apart by columns.
  const sourceOf = ({ name }: Column): SummedColumn =>
    hasStatus ? { column: name } : (OF_STATUS[name] ?? { column: name });
  const values = columns.map((column) => {
    if (column.property === "period") return engine === "postgres" ? "$4::int" : "?4";
    return column.isKey ? `"${column.name}"` : getSum(engine, column, sumColumn(rollup.source.table, sourceOf(column)));
  });
  const keys = columns.filter(({ isKey, property }) => isKey && property !== "period").map(({ name }) => `"${name}"`);
  const [id, first, before] = engine === "postgres" ? ["$1", "$2", "$3"] : ["?1", "?2", "?3"];
  return `insert into "${rollup.table}" (${getNames(columns)}) select ${values.join(", ")} from "${rollup.source.table}"
    where project_id = ${id} and period >= ${first} and period < ${before} group by ${keys.join(", ")}`;
}

/** Adds up the rows of the keys. */
function sumKeys(engine: Engine, { rollup, columns }: PeriodToSum): string {
  const values = columns.map((column) => {
    if (column.property === "keyId") return `'${ALL_KEYS}'`;
    return column.isKey ? `"${column.name}"` : getSum(engine, column, `"${column.name}"`);
  });
  const keys = columns.filter(({ isKey, property }) => isKey && property !== "keyId").map(({ name }) => `"${name}"`);
  const [id, period] = engine === "postgres" ? ["$1", "$2"] : ["?1", "?2"];
  return `insert into "${rollup.table}" (${getNames(columns)}) select ${values.join(", ")} from "${rollup.table}"
    where project_id = ${id} and period = ${period} group by ${keys.join(", ")}`;
}

function getNames(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

/** Sums that no column holds become the largest that it does. */
function getSum(engine: Engine, { property }: Column, sql: string): string {
  const isHistogram = HISTOGRAMS.includes(property);
  if (engine === "sqlite") {
    return isHistogram
      ? `merge_histograms(coalesce(group_concat(${sql}, ''), ''), '')`
      : `cast(total(${sql}) as integer)`;
  }
  return isHistogram
    ? `coalesce(string_agg(${sql}, ''), '')`
    : `greatest(-9223372036854775807, least(coalesce(sum(${sql}), 0), 9223372036854775807))::bigint`;
}

/** The histograms of the source stand one after the other: each bucket is written once. */
async function mergeEach(execute: Executor, { rollup, columns, projectId, period }: PeriodToSum): Promise<void> {
  const histograms = columns.filter(({ property }) => HISTOGRAMS.includes(property));
  if (histograms.length === 0) return;
  const names = columns
    .filter(({ isKey, property }) => isKey || HISTOGRAMS.includes(property))
    .map(({ name, property }) => `"${name}" as "${property}"`);
  const sql = `select ${names.join(", ")} from "${rollup.table}" where project_id = $1 and period = $2`;
  const rows = await execute<Readonly<Record<string, unknown>>>(sql, [projectId, period]);
  const update = createHistogramUpdater(rollup.table, columns);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const merged = rows.slice(at, at + ROWS_AT_ONCE).map((row) => ({
      ...row,
      ...Object.fromEntries(histograms.map(({ property }) => [property, mergeHistograms(String(row[property]))])),
    }));
    await update(execute, merged);
  }
}
