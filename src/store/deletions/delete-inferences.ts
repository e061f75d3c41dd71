import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "@mikro-orm/sql";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { readConversations } from "./read-conversations.ts";

/** The calls to delete: those of a project, or of one of its end users. */
interface OwnerOfCalls {
  readonly projectId: string;
  /** The id that calls name; all calls of the project if absent. */
  readonly endUserId?: string;
}

/** The rows that were deleted. */
export interface DeletedData {
  readonly inferences: number;
  readonly feedback: number;
  readonly conversations: number;
}

/** Nothing that was deleted. */
const NOTHING_DELETED: DeletedData = { inferences: 0, feedback: 0, conversations: 0 };

/** The options of a deletion. */
export interface DeletionOptions {
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
export const PAUSE_MS = 20;

/**
 * Deletes inferences with requests and answers, attempts, tags, shadow trials and answers of dataset runs, feedback on
 * them, answers kept for idempotency keys, and the conversations that they went on with, a few at a time. What was
 * deleted stays so where it is broken off.
 */
export async function deleteInferences(
  store: Store,
  owner: OwnerOfCalls,
  { signal, onProgress, awaitRecords: wait }: DeletionOptions = {},
): Promise<DeletedData> {
  let deleted = NOTHING_DELETED;
  /** Parts that feedback may still be on its way to. */
  const parts: { readonly ids: readonly string[]; readonly atMs: number }[] = [];
  for (let hasWaited = wait === undefined; ; ) {
    signal?.throwIfAborted();
    const { ids, ...part } = await deletePart(store, owner);
    const hasEnded = ids.length === 0 && hasWaited;
    while (parts[0] !== undefined && (hasEnded || performance.now() - parts[0].atMs > RECORDS_MS)) {
      const feedback = await deleteFeedback(store.query(), parts[0].ids);
      deleted = addDeleted(deleted, { ...NOTHING_DELETED, feedback });
      parts.shift();
    }
    if (hasEnded) return deleted;
    if (ids.length === 0) {
      hasWaited = true;
      await wait?.(signal);
      continue;
    }
    parts.push({ ids, atMs: performance.now() });
    deleted = addDeleted(deleted, part);
    await onProgress?.(deleted);
    await delay(PAUSE_MS);
  }
}

/** Adds up what was deleted. */
function addDeleted(one: DeletedData, other: DeletedData): DeletedData {
  return {
    inferences: one.inferences + other.inferences,
    feedback: one.feedback + other.feedback,
    conversations: one.conversations + other.conversations,
  };
}

async function deletePart(
  store: Store,
  { projectId, endUserId }: OwnerOfCalls,
): Promise<DeletedData & { readonly ids: readonly string[] }> {
  let own = store
    .query()
    .selectFrom("Inference")
    .select(["id", "sessionId", "sessionSource"])
    .where("projectId", "=", projectId);
  if (endUserId !== undefined) own = own.where("endUserId", "=", endUserId);
  const rows = await own.orderBy("id").limit(CHUNK).execute();
  if (rows.length === 0) return { ...NOTHING_DELETED, ids: [] };
  // All conversations of a project go with it, whoever went on with them.
  const conversations = endUserId === undefined ? [] : [...(await readConversations(store, rows))];
  const ids = rows.map(({ id }) => id);
  return await store.transaction(async (tables) => {
    const feedback = await deleteFeedback(tables, ids);
    for (const table of ["InferenceBody", "InferenceAttempt", "InferenceTag", "IdempotentCall"] as const) {
      await tables.deleteFrom(table).where("id", "in", ids).execute();
    }
    for (const table of ["ShadowTrial", "ShadowPair", "DatasetAnswer", "DatasetAnswerText", "InferenceItem"] as const) {
      await tables.deleteFrom(table).where("inferenceId", "in", ids).execute();
    }
    const gone = await tables.deleteFrom("Inference").where("id", "in", ids).returning("id").execute();
    const ended = await deleteConversations(tables, projectId, conversations);
    return { inferences: gone.length, feedback, conversations: ended, ids };
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
