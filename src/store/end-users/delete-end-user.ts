import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "@mikro-orm/sql";
import { endUserSubjects } from "../../alerts/budget-subject.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import type { Store } from "../types/store.ts";
import { query, type Tables } from "../types/tables.ts";
import { conversationsOf } from "./conversations-of.ts";

/** An end user of a project. */
export interface EndUser {
  readonly projectId: string;
  /** The id that calls name. */
  readonly endUserId: string;
}

/** The rows that were deleted. */
export interface DeletedData {
  readonly inferences: number;
  readonly feedback: number;
  readonly conversations: number;
}

/** The options of a deletion. */
interface DeletionOptions {
  readonly signal?: AbortSignal;
  /** Waits for records that are on their way to the database, in whichever process. */
  readonly awaitRecords?: (signal?: AbortSignal) => Promise<unknown>;
  /** Told after each part, and waited for. */
  readonly onProgress?: (deleted: DeletedData) => unknown;
}

/** The time in which a process has written what it has recorded, while the database answers. */
const RECORDS_MS = 5000;

/** Waits for as long as records take to the database. */
export const awaitRecords: DeletionOptions["awaitRecords"] = (signal) =>
  delay(RECORDS_MS, undefined, { ...(signal && { signal }) });

/** Inferences of one transaction: it holds SQLite's write lock. */
const CHUNK = 100;
/** The pause between two chunks, for other writers. */
const PAUSE_MS = 20;

/**
 * Deletes all that the calls of an end user left: their records with requests and answers, attempts, tags and shadow
 * trials, feedback on them, answers kept for idempotency keys, the conversations that they went on with, figures by
 * this end user, and alerts about its budgets. Limits stay, and so do figures that name nobody. What was deleted stays
 * so where it is broken off.
 */
export async function deleteEndUser(
  store: Store,
  user: EndUser,
  { signal, onProgress, awaitRecords: wait }: DeletionOptions = {},
): Promise<DeletedData> {
  let deleted: DeletedData = { inferences: 0, feedback: 0, conversations: 0 };
  for (let hasWaited = wait === undefined; ; ) {
    signal?.throwIfAborted();
    const part = await deletePart(store, user);
    if (part.inferences === 0) {
      if (hasWaited) break;
      hasWaited = true;
      await wait?.(signal);
      continue;
    }
    deleted = {
      inferences: deleted.inferences + part.inferences,
      feedback: deleted.feedback + part.feedback,
      conversations: deleted.conversations + part.conversations,
    };
    await onProgress?.(deleted);
    await delay(PAUSE_MS);
  }
  await deleteFigures(store, user, deleted);
  return deleted;
}

async function deletePart(store: Store, { projectId, endUserId }: EndUser): Promise<DeletedData> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .select(["id", "sessionId", "sessionSource"])
    .where("projectId", "=", projectId)
    .where("endUserId", "=", endUserId)
    .orderBy("id")
    .limit(CHUNK)
    .execute();
  if (rows.length === 0) return { inferences: 0, feedback: 0, conversations: 0 };
  const conversations = [...(await conversationsOf(store, rows))];
  const ids = rows.map(({ id }) => id);
  return await store.transaction(async (tables) => {
    const feedback = await deleteFeedback(tables, ids);
    for (const table of ["InferenceBody", "InferenceAttempt", "InferenceTag", "IdempotentCall"] as const) {
      await tables.deleteFrom(table).where("id", "in", ids).execute();
    }
    for (const table of ["ShadowTrial", "ShadowPair"] as const) {
      await tables.deleteFrom(table).where("inferenceId", "in", ids).execute();
    }
    const gone = await tables.deleteFrom("Inference").where("id", "in", ids).returning("id").execute();
    const ended = await deleteConversations(tables, projectId, conversations);
    return { inferences: gone.length, feedback, conversations: ended };
  });
}

async function deleteFeedback(tables: Kysely<Tables>, inferenceIds: readonly string[]): Promise<number> {
  const gone = await tables
    .deleteFrom("FeedbackEntry")
    .where("inferenceId", "in", [...inferenceIds])
    .returning("id")
    .execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) await tables.deleteFrom("FeedbackTag").where("feedbackId", "in", ids).execute();
  return ids.length;
}

async function deleteConversations(tables: Kysely<Tables>, projectId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const own = tables
    .deleteFrom("Conversation")
    .where("projectId", "=", projectId)
    .where("id", "in", [...ids]);
  const gone = (await own.returning("id").execute()).map(({ id }) => id);
  if (gone.length > 0) await tables.deleteFrom("ConversationItem").where("conversationId", "in", gone).execute();
  return gone.length;
}

async function deleteFigures(store: Store, { projectId, endUserId }: EndUser, deleted: DeletedData): Promise<void> {
  await store.unitOfWork(async (em) => {
    for (const table of ["UsageFactDay", "RollupName"] as const) {
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
      ...{ ...store.origin, projectId, action: "endUsers.delete", before: { ...deleted }, after: null },
      target: { kind: "end-user", id: endUserId, name: endUserId },
    });
  });
}
