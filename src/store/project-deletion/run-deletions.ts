import { appendAuditEntry } from "../audit/append-entry.ts";
import { databaseTime } from "../database/clock.ts";
import { awaitRecords, type DeletedData, type DeletionOptions } from "../deletions/delete-inferences.ts";
import { emptyLog } from "../deletions/empty-log.ts";
import { toOrigin } from "../deletions/to-origin.ts";
import { Project } from "../entities/project.ts";
import { ProjectDeletion, type ProjectDeletionRow } from "../entities/project-deletion.ts";
import type { Store } from "../types/store.ts";
import { deleteProjectData } from "./delete-project-data.ts";

/** A process that was not heard of for so long has died: another one goes on. */
const DEAD_MS = 60_000;

/** The time for which deletions are listed after their end, and records that come late go too. */
const LISTED_MS = 90 * 86_400_000;

type RunOptions = Pick<DeletionOptions, "signal" | "awaitRecords">;

/**
 * Deletes the data of projects whose time to undo it is over by `now`, one after the other, and goes on where a process
 * has died. Rejects where the database fails; what is left is taken up by a later call.
 */
export async function runProjectDeletions(store: Store, now: Date, options: RunOptions = {}): Promise<void> {
  const dead = new Date(now.getTime() - DEAD_MS);
  const due = {
    $or: [
      { state: "waiting", dueAt: { $lte: now } },
      { state: "running", beatAt: { $lt: dead } },
    ],
  };
  for (const row of await store.fork().find(ProjectDeletion, due)) {
    const { projectId, state, beatAt } = row;
    // Of several processes that see it one takes it, and nobody can undo it from then on.
    const taken = { state: "running", beatAt: now };
    if ((await store.fork().nativeUpdate(ProjectDeletion, { projectId, state, beatAt }, taken)) === 0) continue;
    await run(store, row, options);
  }
}

async function run(store: Store, row: ProjectDeletionRow, options: RunOptions): Promise<void> {
  const { projectId } = row;
  const onProgress = (deleted: DeletedData) => {
    const noted = { ...total(row, deleted), beatAt: databaseTime(store) };
    return store.query().updateTable("ProjectDeletion").set(noted).where("projectId", "=", projectId).execute();
  };
  const deleted = total(row, await deleteProjectData(store, projectId, { awaitRecords, ...options, onProgress }));
  await emptyLog(store);
  await store.as(toOrigin(row)).unitOfWork(async (em) => {
    await em.nativeDelete(Project, { id: projectId });
    await em.nativeUpdate(ProjectDeletion, { projectId }, { ...deleted, state: "done", endedAt: new Date() });
    appendAuditEntry(em, {
      ...toOrigin(row),
      projectId,
      action: "projects.deleteData",
      before: { ...deleted },
      after: null,
      target: { kind: "project", id: projectId, name: row.name },
    });
  });
}

/**
 * Deletes what processes have written of projects after these were deleted, from spools that nobody read for long, and
 * forgets deletions of long ago.
 */
export async function deleteLateRecords(store: Store, now: Date, { signal }: RunOptions = {}): Promise<void> {
  const long = new Date(now.getTime() - LISTED_MS);
  await store.fork().nativeDelete(ProjectDeletion, { state: "done", endedAt: { $lt: long } });
  for (const row of await store.fork().find(ProjectDeletion, { state: "done" })) {
    const late = await deleteProjectData(store, row.projectId, { ...(signal && { signal }) });
    if (Object.values(late).every((count) => count === 0)) continue;
    await store.fork().nativeUpdate(ProjectDeletion, { projectId: row.projectId }, total(row, late));
  }
}

function total(row: ProjectDeletionRow, deleted: DeletedData): DeletedData {
  return {
    inferences: row.inferences + deleted.inferences,
    feedback: row.feedback + deleted.feedback,
    conversations: row.conversations + deleted.conversations,
  };
}
