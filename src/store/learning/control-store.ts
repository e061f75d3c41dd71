import type { ControlRow, ControlSettings } from "../../learning/controls.ts";
import { NO_SETTINGS } from "../../learning/controls.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import type { Store } from "../types/store.ts";

/** Reads all that operators have said. */
export async function readControls(store: Store): Promise<ControlRow[]> {
  const rows = await store.query().selectFrom("WorkloadControl").selectAll().execute();
  return rows.map(({ projectId, model, updatedAt: _, ...settings }) => ({
    key: { projectId, model },
    // Nothing but `setControls` writes the table.
    ...(settings as ControlSettings),
  }));
}

/** Keeps what an operator says of a workload, or of a project for all its workloads; what is not named stays as it is. */
export async function setControls(store: Store, key: WorkloadKey, changes: Partial<ControlSettings>): Promise<void> {
  await store.transaction(async (tables) => {
    const { projectId, model } = key;
    const known = await tables
      .selectFrom("WorkloadControl")
      .select(["mode", "hold", "pinned", "excluded", "objective", "feedback"])
      .where("projectId", "=", projectId)
      .where("model", "=", model)
      .executeTakeFirst();
    const settings = { ...NO_SETTINGS, ...(known as ControlSettings | undefined), ...changes };
    const { excluded, ...plain } = settings;
    const row = { ...plain, excluded: excluded === null ? null : [...excluded], updatedAt: new Date() };
    await tables
      .insertInto("WorkloadControl")
      .values({ projectId, model, ...row })
      .onConflict((conflict) => conflict.columns(["projectId", "model"]).doUpdateSet(row))
      .execute();
    await notifyChange(tables, store.engine, { channel: CHANNELS.workloads, payload: "" });
  });
}
