import { type ControlDefaults, controlsIn } from "../../learning/controls.ts";
import type { WorkloadDirectory } from "../../learning/directory.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import type { Spent } from "../../vocabulary/outlook.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import type { TimeRange } from "../read/queries/range.ts";
import { readMeasures } from "../read/queries/read-measures.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { readShadowUsage } from "../usage/read-shadow-usage.ts";
import { readControls, setControls } from "./control-store.ts";
import { sql, timeIn } from "./engine-sql.ts";
import { readWorkload, readWorkloadHistory, readWorkloadPage } from "./workload-reads.ts";
import { writeHistory } from "./write-learned.ts";

const DAYS = 30;

const DAY_MS = 86_400_000;

/** Creates the directory of a database's workloads. `defaults` returns what holds where nothing is said. */
export function createWorkloadDirectory(store: Store, defaults: () => ControlDefaults): WorkloadDirectory {
  return {
    page: (projectId, part) => readWorkloadPage(store, projectId, part),
    read: (key) => readWorkload(store, key),
    spent: (key) => readSpent(store, key),
    history: (key, { most, ...part }) => readWorkloadHistory(store, key, most, { ...part, withProject: true }),
    async controls(projectId) {
      const rows = await readControls(store, projectId);
      return (model) => controlsIn(rows, { projectId, model }, defaults());
    },
    setControls: (key, changes, by) => setControls(store.as(by), key, changes, by.actor.label),
    reset: (key, by) => resetWorkload(store.as(by), key, by.actor.label),
  };
}

/** Returns the range of the last 30 days. */
function lastDays(): TimeRange {
  const to = new Date();
  return { from: new Date(to.getTime() - DAYS * DAY_MS), to };
}

/**
 * Reads the calls of a workload in the last 30 days, and what they and its trials cost; undefined where there were
 * none.
 */
async function readSpent(store: Store, { projectId, model }: WorkloadKey): Promise<Spent | undefined> {
  const range = lastDays();
  const [usage] = await readMeasures(store, {
    projectId,
    range,
    bucket: "none",
    by: [],
    filter: { model },
    measures: ["calls", "routed.calls", "priced.cost", "priced.baseCost"],
  });
  if (usage === undefined) return undefined;
  const shadow = await readShadowUsage(store, { projectId, model, ...range });
  const {
    calls,
    "routed.calls": routedCalls,
    "priced.cost": costNanos,
    "priced.baseCost": baseCostNanos,
  } = usage.values;
  const { trials = 0, checks = 0, costNanos: trialNanos = null } = shadow ?? {};
  return { calls, routedCalls, costNanos, baseCostNanos, trialNanos, trials, checks };
}

/**
 * Forgets what was learned of a workload, which begins anew as a new one does; returns false where nothing was known of
 * it. `by` is who wants that, for the history.
 */
export async function resetWorkload(store: Store, key: WorkloadKey, by?: string): Promise<boolean> {
  const { engine } = store;
  return await store.unitOfWork(async (em) => {
    const execute = createExecutor(query(em));
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
