import type { ControlRow } from "../../learning/controls.ts";
import type { ControlChange } from "../../learning/directory.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { CONTROL_NAMES, type ControlSettings } from "../../vocabulary/control-fields.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { writeHistory } from "./write-learned.ts";

/** Reads all that operators have said; of one project, where it is named. */
export async function readControls(store: Store, ofProject?: string): Promise<ControlRow[]> {
  const all = store.query().selectFrom("WorkloadControl").selectAll();
  const rows = await (ofProject === undefined ? all : all.where("projectId", "=", ofProject)).execute();
  return rows.map(({ projectId, model, updatedAt: _, ...settings }) => ({
    key: { projectId, model },
    // Nothing but `setControls` writes the table.
    ...(settings as ControlSettings),
  }));
}

/**
 * Keeps what an operator says of a workload, or of a project for all its workloads; what is not named stays as it is.
 * The history tells of what it changed, and of who said so, as far as that is known.
 */
export async function setControls(store: Store, key: WorkloadKey, change: ControlChange, by?: string): Promise<void> {
  await store.unitOfWork(async (em) => {
    const tables = query(em);
    const { projectId, model } = key;
    // A row that is not there could not be locked: two who are the first to say something would write over each other.
    await tables
      .insertInto("WorkloadControl")
      .values({ projectId, model, updatedAt: new Date() })
      .onConflict((conflict) => conflict.columns(["projectId", "model"]).doNothing())
      .execute();
    const known = await tables
      .selectFrom("WorkloadControl")
      .select(CONTROL_NAMES)
      .where("projectId", "=", projectId)
      .where("model", "=", model)
      .$if(store.engine === "postgres", (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    // Nothing but this function writes the table.
    const before = known as ControlSettings;
    const changes = typeof change === "function" ? change(before) : change;
    const settings = { ...before, ...changes };
    const { excluded, metrics, ...plain } = settings;
    const row = {
      ...plain,
      excluded: excluded === null ? null : [...excluded],
      metrics: metrics === null ? null : metrics.map((each) => ({ ...each })),
      updatedAt: new Date(),
    };
    await tables
      .updateTable("WorkloadControl")
      .set(row)
      .where("projectId", "=", projectId)
      .where("model", "=", model)
      .execute();
    const changed = Object.entries(changes).filter(
      ([name, value]) => JSON.stringify(before[name as keyof ControlSettings]) !== JSON.stringify(value),
    );
    if (changed.length > 0) {
      const detail = { changes: Object.fromEntries(changed), ...(by !== undefined && { by }) };
      await writeHistory(store.engine, createExecutor(tables), [{ key, kind: "controls", detail }]);
    }
    await notifyChange(createExecutor(tables), store.engine, { channel: CHANNELS.workloads });
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.setControls",
      target: { kind: "workload", id: model, name: model },
      before: { ...before },
      after: settings,
    });
  });
}
