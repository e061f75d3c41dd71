import type { Executor } from "../../database/executor.ts";
import { type PeriodsEnds, periodsEnds } from "../../database/periods-end.ts";
import { getPeriod } from "../../types/period.ts";
import type { Engine } from "../../types/store.ts";
import { LARGER_ROLLUPS, type LargerRollup } from "./larger-rollups.ts";

const TABLES = LARGER_ROLLUPS.map(({ table }) => table);

/** The ends of the rollups that are made of shorter periods, by project. */
type Ends = ReadonlyMap<string, PeriodsEnds>;

/** A row of a project. */
interface ProjectRow {
  readonly id: string;
  readonly projectId: string;
}

/** Reads up to where the projects of rows have longer periods. */
export async function readEnds(execute: Executor, engine: Engine, rows: Iterable<ProjectRow>): Promise<Ends> {
  const ends = new Map<string, PeriodsEnds>();
  for (const { projectId } of rows) {
    if (!ends.has(projectId)) ends.set(projectId, await periodsEnds(execute, engine, { tables: TABLES, projectId }));
  }
  return ends;
}

/** Returns the rows of periods that a rollup has already: they belong into it too. */
export function lateRows<Row extends ProjectRow>(
  rows: readonly Row[],
  { table, period }: Pick<LargerRollup, "table" | "period">,
  { ends, timeOf }: { readonly ends: Ends; readonly timeOf: (row: Row) => Date },
): Row[] {
  return rows.filter((row) => getPeriod(period, row.id, timeOf(row)) < (ends.get(row.projectId)?.[table] ?? 0));
}
