import type { Kysely } from "kysely";
import type { FeedbackStore, SentFeedback } from "../../feedback/ports.ts";
import { idTimeMs } from "../../lib/ids.ts";
import { createExecutor } from "../database/executor.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { getPeriod } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { createOutbox } from "./learning/outbox.ts";
import { isOfGiven } from "./recorder/batch-writer.ts";
import { createCallReader, type RatedCalls } from "./recorder/rated-calls.ts";
import type { StoreRecorder } from "./recorder/store-recorder.ts";
import { createRollups } from "./rollups/add-rollups.ts";

/** The time that taking back waits for what was recorded to be written. */
const FLUSH_MS = 2000;

/** The time in which another process has written what it has recorded, while the database answers. */
const RECORDS_MS = 5000;

/** The most by which the clocks of hosts differ. */
const CLOCKS_MS = 24 * 60 * 60 * 1000;

/** Entries that one name takes back. */
const MOST = 1000;

/** The rollups of feedback, with the lengths of their periods. */
const ROLLUPS = [
  ["FeedbackHour", "hour"],
  ["FeedbackDay", "day"],
  ["FeedbackFactDay", "day"],
  ["FeedbackFactWeek", "week"],
  ["FeedbackFactFourWeeks", "four_weeks"],
] as const;

/**
 * Creates what takes feedback back: entries go with their tags, figures and what was learned of them, each in a
 * transaction.
 */
export function createTakeBack(store: Store, recorder: Pick<StoreRecorder, "flush">): FeedbackStore["takeBack"] {
  const remove = createRemover(store);
  return async (feedback) => {
    const begunMs = performance.now();
    await recorder.flush(FLUSH_MS);
    if (performance.now() - begunMs >= FLUSH_MS) return "late";
    const entries = await findEntries(store, feedback);
    await removeByAnswer(store, entries, remove);
    const { id } = feedback;
    if (entries.length > 0 || id === undefined || (await wasTakenBack(store, feedback, id))) return "gone";
    // An id of tomorrow was made by nobody: clocks of hosts differ by less than a day.
    const ageMs = Date.now() - (idTimeMs(id) ?? 0);
    const isNew = ageMs < RECORDS_MS && ageMs > -CLOCKS_MS;
    return isNew && !(await exists(store, id)) ? "late" : "unknown";
  };
}

/** Finds the entries that a sender takes back. */
async function findEntries(store: Store, feedback: SentFeedback): Promise<readonly EntryId[]> {
  const { projectId, keyId } = feedback;
  let own = store
    .query()
    .selectFrom("FeedbackEntry")
    // A name of its own: next to the query of calls, the id of a call was returned as that of the entry.
    .select(["id", "name", "inferenceId as answer"])
    .where((is) => is.and({ projectId, keyId }));
  if (feedback.id !== undefined) own = own.where("id", "=", feedback.id);
  const { target } = feedback;
  if (target?.sessionId != null) own = own.where("sessionId", "=", target.sessionId);
  else if (target !== undefined) {
    const { inferenceId, attempt } = target;
    own = own.where("inferenceId", "=", inferenceId).where("sessionId", "is", null);
    own = own.where("attempt", attempt === null ? "is" : "=", attempt);
  }
  const { rater } = feedback;
  if (rater === null) own = own.where("rater", "is", null);
  else if (rater !== "any") {
    // All whom a server gave tokens on an answer to an end user are that one, wherever they are.
    const hasEndUser = store.query().selectFrom("Inference").select("id").where("endUserId", "is not", null);
    own = own.where((is) =>
      is.or([is("rater", "=", rater), is.and([is("rater", "like", "address:%"), is("inferenceId", "in", hasEndUser)])]),
    );
  }
  const rows = await own.orderBy("id").limit(MOST).execute();
  return rows.filter(({ name }) => feedback.isNamed?.(name) ?? true);
}

/** The id of an entry, and of the answer that it is on. */
interface EntryId {
  readonly id: string;
  readonly answer: string;
}

/** Removes what was said of each answer in a transaction of its own. */
async function removeByAnswer(
  store: Store,
  entries: readonly EntryId[],
  remove: ReturnType<typeof createRemover>,
): Promise<void> {
  for (const ofAnswer of Map.groupBy(entries, ({ answer }) => answer).values()) {
    const ids = ofAnswer.map(({ id }) => id);
    await store.transaction((tables) => remove(tables, ids, "sender"));
  }
}

async function wasTakenBack(store: Store, { projectId, keyId }: SentFeedback, id: string): Promise<boolean> {
  const removals = store.query().selectFrom("FeedbackRemoval").select("id");
  const row = await removals.where((is) => is.and({ id, projectId, keyId })).executeTakeFirst();
  return row !== undefined;
}

async function exists(store: Store, id: string): Promise<boolean> {
  const row = await store.query().selectFrom("FeedbackEntry").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/**
 * Creates what deletes entries with their tags, figures and what was learned of them, in the caller's transaction; what
 * another one has deleted meanwhile stays so. Returns how many it deleted. Entries of one answer go together: they have
 * made one reward.
 */
export function createRemover(store: Store) {
  const readCalls = createCallReader(store.engine);
  const writeOutbox = createOutbox(store.engine);
  const addRollups = createRollups(store.engine, store.fork(), store.namesPerProject);
  return async (
    tables: Kysely<Tables>,
    ids: readonly string[],
    takenBackBy: "sender" | "operator",
  ): Promise<readonly FeedbackEntryRow[]> => {
    const rows = await tables.selectFrom("FeedbackEntry").selectAll().where("id", "in", ids).orderBy("id").execute();
    const deleted = await tables.deleteFrom("FeedbackEntry").where("id", "in", ids).returning("id").execute();
    const gone = new Set(deleted.map(({ id }) => id));
    const feedback = rows.filter(({ id }) => gone.has(id));
    if (feedback.length === 0) return feedback;
    await tables
      .deleteFrom("FeedbackTag")
      .where("feedbackId", "in", [...gone])
      .execute();
    const removals = feedback.map(({ id, projectId, keyId }) => ({ id, projectId, keyId }));
    await tables.insertInto("FeedbackRemoval").values(removals).execute();
    const execute = createExecutor(tables);
    await writeOutbox(execute, { inferences: [], feedback, takenBackBy });
    const given = feedback.filter(isOfGiven);
    const calls = await readCalls(execute, { inferences: [], feedback: given });
    for (const [isKnown, counted] of Map.groupBy(given, (row) => wasKnown(row, calls))) {
      await addRollups(execute, {
        inferences: [],
        feedback: counted,
        calls: isKnown ? calls : new Map(),
        times: -1,
      });
    }
    await deleteEmpty(tables, given);
    return feedback;
  };
}

/** Returns whether a call was known when its entry was counted: otherwise no model that answered stands in this one. */
function wasKnown({ inferenceId, servedModel }: FeedbackEntryRow, calls: RatedCalls): boolean {
  return servedModel !== "" || !calls.get(inferenceId)?.servedModel;
}

/** Deletes rows of rollups that count nothing any more, or were deleted before. */
async function deleteEmpty(tables: Kysely<Tables>, rows: readonly FeedbackEntryRow[]): Promise<void> {
  for (const [table, length] of ROLLUPS) {
    const periods = new Map(
      rows.map(({ id, projectId, createdAt }) => {
        const period = getPeriod(length, id, createdAt);
        return [`${projectId} ${period}`, { projectId, period }];
      }),
    );
    for (const { projectId, period } of periods.values()) {
      const own = tables.deleteFrom(table).where("projectId", "=", projectId);
      await own.where("period", "=", period).where("entries", "<=", 0).execute();
    }
  }
}
