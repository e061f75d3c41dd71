import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";
import type { EncodedContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/** Most entries of feedback on one inference that are read at once: there is no bound to how many clients may send. */
const LATEST = 500;
/** Entries that are looked through for those of the project. */
const LOOKED_AT = 20_000;

/** An inference as it is stored, and the latest that was said of it, the oldest first. */
export interface InferenceWithLatestFeedback {
  readonly row: InferenceRow;
  /** The request and response, not decoded; undefined where no body was kept. */
  readonly body: EncodedContent | undefined;
  readonly feedback: readonly FeedbackEntryRow[];
  /** True if there is feedback from before. */
  readonly hasEarlierFeedback: boolean;
}

/**
 * Reads an inference of a project with its bodies and its latest feedback; undefined if the project has none of that
 * id.
 */
export async function readInferenceWithFeedback(
  store: Store,
  projectId: string,
  id: string,
): Promise<InferenceWithLatestFeedback | undefined> {
  const rows = store.query().selectFrom("Inference").selectAll().where("id", "=", id);
  const row = await rows.where("projectId", "=", projectId).executeTakeFirst();
  if (row === undefined) return undefined;
  const bodies = store.query().selectFrom("InferenceBody").select(["request", "response"]).where("id", "=", id);
  const body = await bodies.executeTakeFirst();
  // By a query within, which knows nothing of the project: to read all of that in the order of ids looks as good to a
  // planner.
  const entries = store
    .query()
    .selectFrom((within) =>
      within
        .selectFrom("FeedbackEntry")
        .selectAll()
        .where("inferenceId", "=", id)
        .orderBy("id", "desc")
        .limit(LOOKED_AT)
        .as("said"),
    )
    .selectAll()
    .where("projectId", "=", projectId)
    .orderBy("id", "desc")
    .limit(LATEST + 1);
  const latest = [...(await entries.execute()), ...(await readOnSession(store, row))].sort(newestFirst);
  return { row, body, feedback: latest.slice(0, LATEST).reverse(), hasEarlierFeedback: latest.length > LATEST };
}

/** Reads what was said of the session of an inference after it, and not of the inference that stands for it. */
async function readOnSession(store: Store, { id, projectId, sessionId }: InferenceRow): Promise<FeedbackEntryRow[]> {
  if (sessionId == null) return [];
  return await store
    .query()
    .selectFrom("FeedbackEntry")
    .selectAll()
    .where("projectId", "=", projectId)
    .where("sessionId", "=", sessionId)
    .where("inferenceId", "<>", id)
    .where("id", ">", id)
    .orderBy("id", "desc")
    .limit(LATEST + 1)
    .execute();
}

function newestFirst(one: FeedbackEntryRow, other: FeedbackEntryRow): number {
  return one.id < other.id ? 1 : -1;
}
