import { readRows } from "../../database/executor.ts";
import { periodAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Days after which a name that was not counted any more makes room for another. */
const UNUSED_DAYS = 30;

const USED_IN = {
  workload: "select distinct workload from usage_day where project_id = ? and period >= ?",
  metric: "select distinct name from feedback_day where project_id = ? and period >= ?",
} as const;

/**
 * Forgets names that were not used of late, in projects that have no room for others. What was counted of them stays.
 */
export async function forgetNames(store: Store, now: Date): Promise<void> {
  const full = "select project_id, kind from rollup_name group by project_id, kind having count(*) >= ?";
  const rows = await readRows<{ project_id: string; kind: string }>(store, full, [store.namesPerProject]);
  const firstDay = periodAt("day", now.getTime()) - UNUSED_DAYS;
  for (const { project_id: projectId, kind } of rows) {
    if (kind !== "workload" && kind !== "metric") continue;
    const sql = `delete from rollup_name where project_id = ? and kind = ? and name not in (${USED_IN[kind]})`;
    await readRows(store, sql, [projectId, kind, projectId, firstDay]);
  }
}
