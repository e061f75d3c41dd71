import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceWithFeedback } from "../queries/inference-with-feedback.ts";
import { readBodies } from "../queries/read-bodies.ts";
import { decodeContent } from "../recorder/inference-body.ts";
import type { Store } from "../store.ts";
import type { HistoryPage, HistoryQuery } from "./history.ts";

/** What is exported. */
export interface ExportPlan {
  /** Its limit is how many are exported. */
  readonly query: HistoryQuery;
  readonly list: (query: HistoryQuery) => Promise<HistoryPage>;
  /** Aborts when whoever asked went away. */
  readonly signal: AbortSignal;
}

/** Rows that are held at a time. */
const PAGE = 100;

/** Yields requests with all that belongs to them, the newest first; few are held at a time, whatever their sizes. */
export async function* exportInferences(
  store: Store,
  { query, list, signal }: ExportPlan,
): AsyncGenerator<InferenceWithFeedback> {
  let left = query.limit;
  let { cursor } = query;
  while (left > 0 && !signal.aborted) {
    const page = await list({ ...query, cursor, limit: Math.min(left, PAGE) });
    const rows = new Map(page.rows.map((row) => [row.id, row]));
    const feedback = await readFeedback(store, query.projectId, [...rows.keys()]);
    for await (const { id, body } of readBodies(store, [...rows.keys()])) {
      const row = rows.get(id);
      if (row === undefined) continue;
      const content = body === undefined ? undefined : await decodeContent(body);
      yield { row, content, feedback: feedback.get(id) ?? [] };
    }
    left -= page.rows.length;
    if (page.next === undefined) return;
    cursor = page.next;
    // SQLite answers without leaving this turn: others must have theirs.
    await nextTurn();
  }
}

async function readFeedback(
  store: Store,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FeedbackEntryRow[]>> {
  if (ids.length === 0) return new Map();
  const entries = await store
    .query()
    .selectFrom("FeedbackEntry")
    .selectAll()
    .where("inferenceId", "in", [...ids])
    .where("projectId", "=", projectId)
    .orderBy("id")
    .execute();
  return Map.groupBy(entries, ({ inferenceId }) => inferenceId);
}
