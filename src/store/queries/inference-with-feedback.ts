import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { readInference, type StoredInference } from "../read-inference.ts";
import type { Store } from "../store.ts";

/** An inference and all that was said of it, the oldest first. */
export interface InferenceWithFeedback extends StoredInference {
  readonly feedback: readonly FeedbackEntryRow[];
}

/** Reads an inference of a project with its bodies and its feedback; undefined if the project has none of that id. */
export async function readInferenceWithFeedback(
  store: Store,
  projectId: string,
  id: string,
): Promise<InferenceWithFeedback | undefined> {
  const found = await readInference(store, id);
  if (found === undefined || found.row.projectId !== projectId) return undefined;
  const entries = store.query().selectFrom("FeedbackEntry").selectAll().where("inferenceId", "=", id);
  const feedback = await entries.where("projectId", "=", projectId).orderBy("id").execute();
  return { ...found, feedback };
}
