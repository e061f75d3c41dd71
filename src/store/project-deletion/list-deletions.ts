import { isUuid } from "../../lib/ids.ts";
import { ProjectDeletion, type ProjectDeletionRow } from "../entities/project-deletion.ts";
import type { Store } from "../types/store.ts";

/** A part of the deletions of projects. */
interface DeletionsQuery {
  /** Only of these projects; all if absent. */
  readonly projectIds?: readonly string[];
  /** The project that the page before ended with; empty for the first page. */
  readonly after?: string;
  readonly limit: number;
}

/** Lists deletions of projects that wait, run or were done in the last 90 days: those of the latest projects first. */
export async function listProjectDeletions(
  store: Store,
  { projectIds, after = "", limit }: DeletionsQuery,
): Promise<readonly ProjectDeletionRow[]> {
  const projectId = {
    ...(projectIds !== undefined && { $in: [...projectIds] }),
    ...(after !== "" && { $lt: after }),
  };
  const where = Object.keys(projectId).length === 0 ? {} : { projectId };
  return await store.fork().find(ProjectDeletion, where, { orderBy: { projectId: "desc" }, limit });
}

/** Finds deletions that can be undone, by the id of the project or by the name that it had. */
export async function findWaitingDeletions(store: Store, idOrName: string): Promise<readonly ProjectDeletionRow[]> {
  const which = isUuid(idOrName) ? { projectId: idOrName.toLowerCase() } : { name: idOrName };
  return await store.fork().find(ProjectDeletion, { ...which, state: "waiting" }, { limit: MOST });
}

/** More of one name are told apart by their ids. */
const MOST = 10;
