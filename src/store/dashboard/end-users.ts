import type { EndUser } from "../end-users/delete-end-user.ts";
import { type EndUserPart, noteExport, readEndUser } from "../end-users/read-end-user.ts";
import { beginDeletion, listDeletions } from "../end-users/run-deletions.ts";
import type { EndUserDeletionRow } from "../entities/end-user-deletion.ts";
import type { Store } from "../types/store.ts";

/** Deletions that are listed. */
const LISTED = 50;

/** The data of end users, each seen from its project. */
export interface EndUsers {
  /** Begins a deletion in the background; `onFailure` is told if it fails. */
  delete(user: EndUser, onFailure: (error: unknown) => void): Promise<void>;
  /** Lists the latest deletions. */
  deletions(projectId: string): Promise<EndUserDeletionRow[]>;
  /** Reads all that is known of one. */
  export(user: EndUser, signal: AbortSignal): AsyncGenerator<EndUserPart>;
}

/** Creates the end users of a database, as projects see them. */
export function createEndUsers(store: Store): EndUsers {
  return {
    async delete(user, onFailure) {
      await beginDeletion(store, user, { onFailure });
    },
    deletions: (projectId) => listDeletions(store, { projectId, limit: LISTED }),
    async *export(user, signal) {
      await noteExport(store, user);
      yield* readEndUser(store, user, { signal });
    },
  };
}
