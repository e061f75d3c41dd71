import type { DeletedData } from "../deletions/delete-inferences.ts";
import { countEndUser, type EndUser } from "../end-users/delete-end-user.ts";
import { type EndUserPart, noteExport, readEndUser } from "../end-users/read-end-user.ts";
import { listDeletions } from "../end-users/run-deletions.ts";
import type { EndUserDeletionRow } from "../entities/end-user-deletion.ts";
import type { Store } from "../types/store.ts";

/** Deletions that are listed. */
const LISTED = 50;

/** The data of end users, each seen from its project. */
export interface EndUsers {
  /** Counts the rows that a deletion would delete. */
  count(user: EndUser): Promise<Pick<DeletedData, "inferences" | "feedback">>;
  /** Lists the latest deletions. */
  deletions(projectId: string): Promise<EndUserDeletionRow[]>;
  /** Reads all that is known of one. */
  export(user: EndUser, signal: AbortSignal): AsyncGenerator<EndUserPart>;
}

/** Creates the end users of a database, as projects see them. */
export function createEndUsers(store: Store): EndUsers {
  return {
    count: (user) => countEndUser(store, user),
    deletions: (projectId) => listDeletions(store, { projectId, limit: LISTED }),
    async *export(user, signal) {
      await noteExport(store, user);
      yield* readEndUser(store, user, { signal });
    },
  };
}
