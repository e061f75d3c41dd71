import { setTimeout as delay } from "node:timers/promises";
import { type Executor, transact } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** Rows of one transaction: it holds SQLite's write lock, and takes some milliseconds. */
const ROWS_PER_CHUNK = 500;
/** The pause between two chunks, for other writers. */
const PAUSE_MS = 20;

/** The rows to delete. */
interface Deletion {
  readonly table: string;
  /** The column with the ids; `id` if absent. */
  readonly key?: string;
  /** Rows go whose ids are less. */
  readonly beforeId: string;
  /** Deletes what belongs to rows that went, in the same transaction. */
  readonly andOf?: (execute: Executor, ids: readonly string[]) => Promise<void>;
}

/**
 * Deletes rows by their ids, the oldest first, a few at a time, until none is left or the signal aborts. Returns how
 * many.
 */
export async function deleteInChunks(store: Store, deletion: Deletion, signal: AbortSignal): Promise<number> {
  const { table, key = "id", beforeId, andOf } = deletion;
  const value = store.engine === "postgres" ? "$1" : "?1";
  const oldest = `select id from "${table}" where ${key} < ${value} order by ${key} limit ${ROWS_PER_CHUNK}`;
  const sql = `delete from "${table}" where id in (${oldest}) returning id`;
  for (let deleted = 0; ; ) {
    if (signal.aborted) return deleted;
    const ids = await transact(store, async (execute) => {
      const rows = await execute<{ id: string }>(sql, [beforeId]);
      const gone = rows.map(({ id }) => id);
      if (gone.length > 0) await andOf?.(execute, gone);
      return gone;
    });
    deleted += ids.length;
    if (ids.length < ROWS_PER_CHUNK) return deleted;
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** Deletes entries of feedback whose ids are less, and their tags. Returns how many. */
export async function deleteFeedback(store: Store, beforeId: string, signal: AbortSignal): Promise<number> {
  const andOf = async (execute: Executor, ids: readonly string[]) => {
    const list = ids.map((_, index) => (store.engine === "postgres" ? `$${index + 1}` : "?")).join(", ");
    await execute(`delete from feedback_tag where feedback_id in (${list})`, ids);
  };
  return await deleteInChunks(store, { table: "feedback_entry", beforeId, andOf }, signal);
}
