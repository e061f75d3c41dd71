import { readRows } from "../../database/executor.ts";
import { mostNames, NAME_KINDS, type NameKind } from "../../entities/rollup-name.ts";
import { periodAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Days after which a name that was not counted any more makes room for another. */
const UNUSED_DAYS = 30;

const USED_IN: Record<NameKind, string> = {
  workload: "select distinct workload from usage_day where project_id = ? and period >= ?",
  metric: "select distinct name from feedback_day where project_id = ? and period >= ?",
  end_user: "select distinct name from usage_fact_day where project_id = ? and period >= ? and kind = 'end_user'",
  tag: "select distinct name from usage_fact_day where project_id = ? and period >= ? and kind = 'tag'",
};

/**
 * Forgets names that were not used of late, in projects that have no room for others. What was counted of them stays.
 */
export async function forgetNames(store: Store, now: Date): Promise<void> {
  const counted = "select project_id, kind, count(*) as names from rollup_name group by project_id, kind";
  const rows = await readRows<{ project_id: string; kind: string; names: number | string }>(store, counted, []);
  const firstDay = periodAt("day", now.getTime()) - UNUSED_DAYS;
  for (const { project_id: projectId, kind: text, names } of rows) {
    const kind = NAME_KINDS.find((known) => known === text);
    if (kind === undefined || Number(names) < mostNames(kind, store.namesPerProject)) continue;
    const sql = `delete from rollup_name where project_id = ? and kind = ? and name not in (${USED_IN[kind]})`;
    await readRows(store, sql, [projectId, kind, projectId, firstDay]);
  }
}
