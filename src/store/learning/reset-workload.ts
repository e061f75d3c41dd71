import type { WorkloadKey } from "../../learning/workload.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { executorOf } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { sql, timeIn } from "./engine-sql.ts";
import { writeHistory } from "./write-learned.ts";

/**
 * Forgets what was learned of a workload, which begins anew as a new one does; returns false where nothing was known of
 * it. `by` is who wants that, for the history.
 */
export async function resetWorkload(store: Store, key: WorkloadKey, by?: string): Promise<boolean> {
  const { engine } = store;
  return await store.unitOfWork(async (em) => {
    const execute = executorOf(query(em));
    // Whoever has it in memory finds another version, and reads it again.
    const reset = await execute(
      sql(
        engine,
        `update "workload_state" set "version" = "version" + 1, "updated_at" = ?, "rewards" = 0, "snapshot" = null
           where "project_id" = ? and "model" = ? returning "version"`,
      ),
      [timeIn(engine, Date.now()), key.projectId, key.model],
    );
    if (reset.length === 0) return false;
    await writeHistory(engine, execute, [{ key, kind: "reset", detail: { ...(by !== undefined && { by }) } }]);
    await notifyChange(execute, engine, { channel: CHANNELS.workloads });
    const { projectId, model } = key;
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.reset",
      target: { kind: "workload", id: model, name: model },
      before: null,
      after: { learned: "nothing" },
    });
    return true;
  });
}
