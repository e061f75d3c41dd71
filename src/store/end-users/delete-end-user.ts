import { endUserSubjects } from "../../alerts/budget-subject.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { createExecutor } from "../database/executor.ts";
import { type DeletedData, type DeletionOptions, deleteInferences } from "../deletions/delete-inferences.ts";
import { emptyLog } from "../deletions/empty-log.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { holdPeriods } from "../write/rollups/build-periods.ts";

/** The tables in which figures name end users. */
const FIGURES = [
  ...(["UsageFactDay", "UsageFactWeek", "UsageFactFourWeeks"] as const),
  ...(["FeedbackFactDay", "FeedbackFactWeek", "FeedbackFactFourWeeks", "RollupName"] as const),
] as const;

/** An end user of a project. */
export interface EndUser {
  readonly projectId: string;
  /** The id that calls name. */
  readonly endUserId: string;
}

/**
 * Deletes all that the calls of an end user left: their records with all that belongs to them, figures by this end
 * user, and alerts about its budgets. Limits stay, and so do figures that name nobody. What was deleted stays so where
 * it is broken off.
 */
export async function deleteEndUser(store: Store, user: EndUser, options: DeletionOptions = {}): Promise<DeletedData> {
  const deleted = await deleteInferences(store, user, options);
  await deleteFigures(store, user, deleted);
  await emptyLog(store);
  return deleted;
}

async function deleteFigures(store: Store, { projectId, endUserId }: EndUser, deleted: DeletedData): Promise<void> {
  await store.unitOfWork(async (em) => {
    // No longer period may be made of days that go meanwhile.
    await holdPeriods(createExecutor(query(em)), store.engine);
    for (const table of FIGURES) {
      await query(em)
        .deleteFrom(table)
        .where((is) => is.and({ projectId, kind: "end_user", name: endUserId }))
        .execute();
    }
    for (const table of ["Alert", "AlertSignal"] as const) {
      await query(em)
        .deleteFrom(table)
        .where("projectId", "=", projectId)
        .where("subject", "in", endUserSubjects(endUserId))
        .execute();
    }
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "endUsers.delete",
      before: { ...deleted },
      after: null,
      target: { kind: "end-user", id: endUserId, name: endUserId },
    });
  });
}

/** Counts the calls of an end user and the feedback on them, as they are now. */
export async function countEndUser(
  store: Store,
  { projectId, endUserId }: EndUser,
): Promise<Pick<DeletedData, "inferences" | "feedback">> {
  const own = store
    .query()
    .selectFrom("Inference")
    .where("projectId", "=", projectId)
    .where("endUserId", "=", endUserId);
  const [calls, feedback] = await Promise.all([
    own.select((is) => is.fn.countAll().as("rows")).executeTakeFirstOrThrow(),
    store
      .query()
      .selectFrom("FeedbackEntry")
      .where("inferenceId", "in", own.select("id"))
      .select((is) => is.fn.countAll().as("rows"))
      .executeTakeFirstOrThrow(),
  ]);
  return { inferences: Number(calls.rows), feedback: Number(feedback.rows) };
}
