import type { Engine } from "../types/store.ts";
import type { Executor } from "./executor.ts";

/** The period before which a rollup has periods, by its table. */
export type PeriodsEnds = Readonly<Record<string, number>>;

/**
 * Returns the period after the last that a project has in each of some rollups which are made of shorter periods: what
 * is written into earlier ones belongs there too. 0 where there is none.
 */
export async function periodsEnds(
  execute: Executor,
  engine: Engine,
  { tables, projectId }: { readonly tables: readonly string[]; readonly projectId: string },
): Promise<PeriodsEnds> {
  const mark = engine === "postgres" ? "$1" : "?1";
  const lasts = tables.map((table) => `(select max(period) from "${table}" where project_id = ${mark}) as "${table}"`);
  const [row] = await execute<Record<string, number | null>>(`select ${lasts.join(", ")}`, [projectId]);
  return Object.fromEntries(tables.map((table) => [table, (row?.[table] ?? -1) + 1]));
}
