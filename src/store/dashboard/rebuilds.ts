import type { WorkloadRebuildRow } from "../entities/workload-rebuild.ts";
import {
  cancelRebuild,
  RebuildImpossible,
  RebuildTooSoon,
  readRebuild,
  rebuildRestEnd,
  requestRebuild,
} from "../learning/rebuild-requests.ts";
import type { Store } from "../types/store.ts";

export { RebuildImpossible, RebuildTooSoon };

/** A rebuild of what was learned in a project. */
export interface Rebuild extends WorkloadRebuildRow {
  /** When the next one may be asked for; null where this one has not ended. */
  readonly nextAt: Date | null;
}

/** The rebuilds of learned state that people of a project ask for. */
export interface Rebuilds {
  /** Returns the rebuild that waits or runs, or else the latest one; undefined where nobody has asked for any. */
  read(projectId: string): Promise<Rebuild | undefined>;
  /** Asks for one; throws RebuildImpossible and RebuildTooSoon. */
  request(projectId: string): Promise<Rebuild>;
  /** Cancels the one that waits or runs; returns what became of it. */
  cancel(projectId: string): Promise<Rebuild | undefined>;
}

/** Creates the rebuilds of a database. */
export function createRebuilds(store: Store): Rebuilds {
  const known = (row: WorkloadRebuildRow | undefined) => row && withNext(row);
  return {
    read: async (projectId) => known(await readRebuild(store, projectId)),
    request: async (projectId) => withNext(await requestRebuild(store, projectId, { isBounded: true })),
    cancel: async (projectId) => known(await cancelRebuild(store, projectId)),
  };
}

function withNext(row: WorkloadRebuildRow): Rebuild {
  return { ...row, nextAt: row.endedAt ? rebuildRestEnd(row) : null };
}
