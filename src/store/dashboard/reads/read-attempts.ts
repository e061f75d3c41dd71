import type { InferenceAttemptRow } from "../../entities/inference-attempt.ts";
import type { Store } from "../../types/store.ts";

/**
 * Reads the attempts of inferences, by their ids, in the order in which they began. The ids are those of a project's
 * own.
 */
export async function readAttempts(
  store: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InferenceAttemptRow[]>> {
  if (ids.length === 0) return new Map();
  const attempts = await store
    .query()
    .selectFrom("InferenceAttempt")
    .selectAll()
    .where("id", "in", [...ids])
    .orderBy("id")
    .orderBy("position")
    .execute();
  return Map.groupBy(attempts, ({ id }) => id);
}
