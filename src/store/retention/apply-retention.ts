import type { Executor } from "../bulk/executor.ts";
import { dropPartitions } from "../partitions/drop-partitions.ts";
import { firstIdAt } from "../rollups/period.ts";
import type { Store } from "../store.ts";
import { deleteInChunks } from "./delete-in-chunks.ts";

/** Days for which records are kept; undefined is for ever. */
export interface RetentionDays {
  readonly inferencesDays: number | undefined;
  readonly bodiesDays: number | undefined;
  readonly feedbackDays: number | undefined;
}

/** What is no longer there. Rows in partitions that were dropped are not counted. */
export interface RetentionResult {
  readonly droppedPartitions: readonly string[];
  readonly deletedInferences: number;
  readonly deletedBodies: number;
  readonly deletedFeedback: number;
}

const DAY_MS = 86_400_000;

/**
 * Deletes what is older than it may be; what was counted of it stays. On PostgreSQL inferences go by whole weeks and bodies
 * by whole days, each once its last row is too old; strays, feedback, and all on SQLite go row by row.
 */
export async function applyRetention(
  store: Store,
  retention: RetentionDays,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<RetentionResult> {
  const cutoff = (days: number | undefined) =>
    days === undefined ? undefined : firstIdAt(now.getTime() - days * DAY_MS);
  const inferences = cutoff(retention.inferencesDays);
  // A body is of no use without its inference.
  const bodies = cutoff(smaller(retention.bodiesDays, retention.inferencesDays));
  const feedback = cutoff(retention.feedbackDays);
  const droppedPartitions: string[] = [];
  const remove = async (table: string, beforeId: string | undefined, isPartitioned: boolean) => {
    if (beforeId === undefined) return 0;
    if (!isPartitioned || store.engine === "sqlite") return await deleteInChunks(store, { table, beforeId }, signal);
    droppedPartitions.push(...(await dropPartitions(store, table, beforeId)));
    return await deleteInChunks(store, { table: `${table}_default`, beforeId }, signal);
  };
  return {
    deletedBodies: await remove("inference_body", bodies, true),
    deletedInferences: await remove("inference", inferences, true),
    deletedFeedback:
      feedback === undefined
        ? 0
        : await deleteInChunks(
            store,
            { table: "feedback_entry", beforeId: feedback, andOf: deleteTags(store) },
            signal,
          ),
    droppedPartitions,
  };
}

function deleteTags(store: Store) {
  return async (execute: Executor, ids: readonly string[]) => {
    const list = ids.map((_, index) => (store.engine === "postgres" ? `$${index + 1}` : "?")).join(", ");
    await execute(`delete from feedback_tag where feedback_id in (${list})`, ids);
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
