import { HISTOGRAMS, mergeHistograms } from "../../../figures/histogram.ts";
import type { Column } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import type { UsageRow } from "../../entities/usage.ts";
import type { LargerFactRow, UsageFactRow } from "../../entities/usage-fact.ts";
import type { Engine } from "../../types/store.ts";
import { createInserter, type RowInserter } from "../insert-rows.ts";

/** Adds rows of usage to those of the same keys. */
type UsageAdder = (execute: Executor, rows: readonly (UsageRow | UsageFactRow | LargerFactRow)[]) => Promise<void>;

/** Sums of costs stop here, the largest number that a column holds: 9.2 billion US dollars in one row. */
const LARGEST = "9223372036854775807";

/** The engines' names of the functions for the least and the greatest of two values. */
const EXTREMES: Readonly<Record<string, Readonly<Record<Engine, string>>>> = {
  leastValue: { sqlite: "min", postgres: "least" },
  greatestValue: { sqlite: "max", postgres: "greatest" },
};

/**
 * Creates what inserts rows, or adds them to those of the same key. They come in the order of their keys, so that no
 * two transactions can wait for each other.
 */
export function createAdder(engine: Engine, table: string, columns: readonly Column[], ending: string): RowInserter {
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => `"${name}"`);
  const sums = columns
    .filter(({ isKey, property }) => !isKey && (engine === "sqlite" || !HISTOGRAMS.includes(property)))
    .map((column) => `"${column.name}" = ${getSum(engine, table, column)}`);
  const conflict = `on conflict (${keys.join(", ")}) do update set ${sums.join(", ")} ${ending}`;
  return createInserter(engine, { table, columns, ending: conflict });
}

function getSum(engine: Engine, table: string, { name, property }: Column): string {
  const [old, added] = [`"${table}"."${name}"`, `excluded."${name}"`];
  const extreme = EXTREMES[property]?.[engine];
  // Rows of one key have both or neither: a kind of feedback has values or it has none.
  if (extreme !== undefined) return `${extreme}(${old}, ${added})`;
  if (HISTOGRAMS.includes(property)) return `merge_histograms(${old}, ${added})`;
  // A row that is refused for a sum would be lost. SQLite turns a sum that is too large into a double by itself.
  if (engine === "postgres" && name.endsWith("_nanos")) {
    return `greatest(-${LARGEST}, least(${old}::numeric + ${added}, ${LARGEST}))::bigint`;
  }
  return `${old} + ${added}`;
}

/** A row as PostgreSQL has it after its counts were added: its calls, and its histograms from before by property. */
type Before = Readonly<Record<string, string>>;

/**
 * Creates what adds usage. SQLite merges histograms in the statement that adds. On PostgreSQL that locks the rows, and
 * a second statement writes the merged histograms of those that were there before: they have more calls than were
 * added.
 */
export function createUsageAdder(engine: Engine, table: string, columns: readonly Column[]): UsageAdder {
  if (engine === "sqlite") {
    const add = createAdder(engine, table, columns, "");
    return async (execute, rows) => void (await add(execute, rows));
  }
  const histograms = getHistograms(columns);
  const returned = histograms.map(({ name, property }) => `"${table}"."${name}" as "${property}"`);
  const insert = createAdder(engine, table, columns, `returning "calls", ${returned.join(", ")}`);
  const update = createHistogramUpdater(table, columns);
  return async (execute, rows) => {
    const before = await insert<Before>(execute, rows);
    const merged = rows.flatMap((row, index) => {
      const found = before[index];
      if (found === undefined) throw new Error(`${table} returned fewer rows than it was given`);
      if (Number(found["calls"]) === row.calls) return [];
      const added: Readonly<Record<string, unknown>> = row;
      const merge = (property: string) => mergeHistograms(found[property] ?? "", String(added[property]));
      return [{ ...row, ...Object.fromEntries(histograms.map(({ property }) => [property, merge(property)])) }];
    });
    await update(execute, merged);
  };
}

/** Creates what writes histograms to rows of PostgreSQL. */
export function createHistogramUpdater(
  table: string,
  columns: readonly Column[],
): (execute: Executor, rows: readonly object[]) => Promise<void> {
  const keys = columns.filter(({ isKey }) => isKey);
  const histograms = getHistograms(columns);
  const fields = [...keys, ...histograms].map(({ property, type }) => `"${property}" ${type}`);
  const same = keys.map(({ name, property }) => `"${table}"."${name}" = given."${property}"`).join(" and ");
  const set = histograms.map(({ name, property }) => `"${name}" = given."${property}"`).join(", ");
  const sql = `update "${table}" set ${set} from json_to_recordset($1::json)
    as given (${fields.join(", ")}) where ${same}`;
  return async (execute, rows) => {
    if (rows.length > 0) await execute(sql, [JSON.stringify(rows)]);
  };
}

function getHistograms(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ property }) => HISTOGRAMS.includes(property));
}
