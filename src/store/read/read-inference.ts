import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { Inference, type InferenceRow } from "../entities/inference.ts";
import { InferenceBody } from "../entities/inference-body.ts";
import { decodeContent, type InferenceContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/** An inference as it is stored. */
export interface StoredInference {
  readonly row: InferenceRow;
  /** What was asked and answered; undefined where no body was kept. */
  readonly content: InferenceContent | undefined;
}

/** Reads an inference with its bodies; undefined if there is none of that id. */
export async function readInference(store: Store, id: string): Promise<StoredInference | undefined> {
  const em = store.fork();
  const row = await em.findOne(Inference, { id });
  if (row === null) return undefined;
  const body = await em.findOne(InferenceBody, { id });
  return { row, content: body === null ? undefined : await decodeContent(body) };
}

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
  // Sorted here: SQLite would rather read all of the project in the order of ids than sort a few entries.
  const entries = store.query().selectFrom("FeedbackEntry").selectAll().where("inferenceId", "=", id);
  const feedback = (await entries.execute())
    .filter((entry) => entry.projectId === projectId)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ...found, feedback };
}
