import { type BodyPolicy, DEFAULT_BODY_POLICY } from "../bodies/body-policy.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { executorOf } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** A change of a project's settings; absent members stay. */
export interface SettingsChange {
  /** The body policy from now on. */
  readonly bodies?: BodyPolicy;
  /** Names of all optimisations that are switched off. */
  readonly optimizationsOff?: readonly string[];
}

/**
 * Sets what is set of a project, and tells the other processes. Of several who set the same at once, the last one
 * decides.
 */
export async function writeSettings(store: Store, projectId: string, change: SettingsChange): Promise<void> {
  const { bodies, optimizationsOff } = change;
  const row = {
    ...(bodies !== undefined && { bodies }),
    ...(optimizationsOff !== undefined && { optimizationsOff: [...optimizationsOff] }),
    updatedAt: new Date(),
  };
  await store.transaction(async (tables) => {
    await tables
      .insertInto("ProjectSettings")
      .values({ project: projectId, bodies: DEFAULT_BODY_POLICY, ...row })
      .onConflict((conflict) => conflict.column("project").doUpdateSet(row))
      .execute();
    await notifyChange(executorOf(tables), store.engine, { channel: CHANNELS.settings });
  });
}
