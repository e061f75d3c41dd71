import type { Engine } from "../types/store.ts";
import type { Executor } from "./executor.ts";

/**
 * Returns the week after the last that a project has: what is written into earlier ones belongs into `usage_week` too.
 */
export async function weeksEnd(execute: Executor, engine: Engine, projectId: string): Promise<number> {
  const sql = `select max(period) as last from usage_week where project_id = ${engine === "postgres" ? "$1" : "?"}`;
  const [row] = await execute<{ last: number | null }>(sql, [projectId]);
  return typeof row?.last === "number" ? row.last + 1 : 0;
}
