import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { Store } from "../../types/store.ts";

/** Reads the feedback on inferences of a project, by their ids, the oldest first. */
export async function readFeedbackOf(
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
