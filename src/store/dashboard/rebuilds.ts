import type { WorkloadRebuildRow } from "../entities/workload-rebuild.ts";
import { readRebuild, rebuildRestEnd } from "../learning/rebuild-requests.ts";
import type { Store } from "../types/store.ts";

/** A rebuild of what was learned in a project. */
export interface Rebuild extends WorkloadRebuildRow {
  /** When the next one may be asked for; null where this one has not ended. */
  readonly nextAt: Date | null;
}

/** The rebuilds of learned state that people of a project ask for. */
export interface Rebuilds {
  /** Returns the rebuild that waits or runs, or else the latest one; undefined where nobody has asked for any. */
  read(projectId: string): Promise<Rebuild | undefined>;
}

/** Creates the rebuilds of a database. */
export function createRebuilds(store: Store): Rebuilds {
  return {
    async read(projectId) {
      const row = await readRebuild(store, projectId);
      return row && { ...row, nextAt: row.endedAt ? rebuildRestEnd(row) : null };
    },
  };
}
