import { createPace } from "../../lib/pace.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";
import { readBodies } from "../read/queries/read-bodies.ts";
import type { EncodedContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";
import { type HistoryQuery, listHistory } from "./list-history.ts";

/** A request with all that belongs to it. */
export interface ExportedInference {
  readonly row: InferenceRow;
  /** What was asked and answered, as it is stored; undefined where nothing was kept. */
  readonly body: EncodedContent | undefined;
  readonly feedback: readonly FeedbackEntryRow[];
}

/** Rows that are held at a time; a statement on them takes some milliseconds. */
const PAGE = 100;

/**
 * Yields requests with all that belongs to them, the newest first, until there are `limit` or the signal aborts. Few are held at a
 * time, whatever their sizes. It rests now and then, for what is done with them too.
 */
export async function* exportInferences(
  store: Store,
  query: HistoryQuery,
  signal: AbortSignal,
): AsyncGenerator<ExportedInference> {
  const pace = createPace();
  let left = query.limit;
  let { cursor } = query;
  while (left > 0 && !signal.aborted) {
    const page = await listHistory(store, { ...query, cursor, limit: Math.min(left, PAGE) });
    await pace();
    const rows = new Map(page.rows.map((row) => [row.id, row]));
    const feedback = await readFeedback(store, query.projectId, [...rows.keys()]);
    for await (const { id, body } of readBodies(store, [...rows.keys()])) {
      await pace();
      const row = rows.get(id);
      if (row !== undefined) yield { row, body, feedback: feedback.get(id) ?? [] };
    }
    left -= page.rows.length;
    if (page.next === undefined) return;
    cursor = page.next;
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
