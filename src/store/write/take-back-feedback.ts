import type { Kysely } from "kysely";
import type { FeedbackStore, SentFeedback } from "../../feedback/ports.ts";
import { idTimeMs } from "../../lib/ids.ts";
import { executorOf } from "../database/executor.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { periodOf } from "../types/period.ts";
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
  return async (asked) => {
    const begunMs = performance.now();
    await recorder.flush(FLUSH_MS);
    if (performance.now() - begunMs >= FLUSH_MS) return "late";
    const ids = await findEntries(store, asked);
    for (const id of ids) await remove(id);
    const { id } = asked;
    if (ids.length > 0 || id === undefined || (await wasTakenBack(store, asked, id))) return "gone";
    const isNew = Date.now() - (idTimeMs(id) ?? 0) < RECORDS_MS;
    return isNew && !(await exists(store, id)) ? "late" : "unknown";
  };
}

/** Finds the entries that a sender takes back. */
async function findEntries(store: Store, asked: SentFeedback): Promise<string[]> {
  const { projectId, keyId } = asked;
  let own = store
    .query()
    .selectFrom("FeedbackEntry")
    .select(["id", "name", "rater"])
    .where((is) => is.and({ projectId, keyId }));
  if (asked.id !== undefined) own = own.where("id", "=", asked.id);
  const { target } = asked;
  if (target?.sessionId != null) own = own.where("sessionId", "=", target.sessionId);
  else if (target !== undefined) {
    const { inferenceId, attempt } = target;
    own = own.where("inferenceId", "=", inferenceId).where("sessionId", "is", null);
    own = own.where("attempt", attempt === null ? "is" : "=", attempt);
  }
  const { rater } = asked;
  if (rater === null) own = own.where("rater", "is", null);
  else if (rater !== "any") {
    // All whom a server gave tokens on an answer to an end user are that one, wherever they are.
    const hasEndUser = store.query().selectFrom("Inference").select("id").where("endUserId", "is not", null);
    own = own.where((is) =>
      is.or([is("rater", "=", rater), is.and([is("rater", "like", "address:%"), is("inferenceId", "in", hasEndUser)])]),
    );
  }
  const rows = await own.orderBy("id").limit(MOST).execute();
  return rows.filter(({ name }) => asked.isNamed?.(name) ?? true).map(({ id }) => id);
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

/** Creates what removes one entry; what another one has removed meanwhile stays so. */
function createRemover(store: Store): (id: string) => Promise<void> {
  const readCalls = createCallReader(store.engine);
  const writeOutbox = createOutbox(store.engine);
  const addRollups = createRollups(store.engine, store.fork(), store.namesPerProject);
  return async (id) => {
    await store.transaction(async (tables) => {
      const row = await tables.selectFrom("FeedbackEntry").selectAll().where("id", "=", id).executeTakeFirst();
      const gone = await tables.deleteFrom("FeedbackEntry").where("id", "=", id).returning("id").execute();
      if (row === undefined || gone.length === 0) return;
      await tables.deleteFrom("FeedbackTag").where("feedbackId", "=", id).execute();
      const { projectId, keyId } = row;
      await tables.insertInto("FeedbackRemoval").values({ id, projectId, keyId }).execute();
      const execute = executorOf(tables);
      const feedback = [row];
      await writeOutbox(execute, { inferences: [], feedback, isTakenBack: true });
      if (!isOfGiven(row)) return;
      const calls = knownThen(row, await readCalls(execute, { inferences: [], feedback }));
      await addRollups(execute, { inferences: [], feedback, calls, times: -1 });
      await deleteEmpty(tables, row);
    });
  };
}

/** Leaves out a call that was not known when the entry was counted: no model that answered stands in this one. */
function knownThen({ inferenceId, servedModel }: FeedbackEntryRow, calls: RatedCalls): RatedCalls {
  return servedModel === "" && calls.get(inferenceId)?.servedModel ? new Map() : calls;
}

/** Deletes rows of rollups that count nothing any more, or were deleted before. */
async function deleteEmpty(tables: Kysely<Tables>, { id, projectId, createdAt }: FeedbackEntryRow): Promise<void> {
  for (const [table, length] of ROLLUPS) {
    const own = tables.deleteFrom(table).where("projectId", "=", projectId);
    await own
      .where("period", "=", periodOf(length, id, createdAt))
      .where("entries", "<=", 0)
      .execute();
  }
}
