import { sql } from "kysely";
import { getRater } from "../../vocabulary/raters.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { createRemover } from "../write/take-back-feedback.ts";

/** Entries that one call removes, and answers whose entries go in one transaction. */
const MOST = 1000;
const ANSWERS_AT_ONCE = 50;

/** The feedback that goes: entries that all of it describes. */
interface RemovedFeedback {
  readonly projectId: string;
  /** Id of the entry. */
  readonly id?: string;
  /** Id of an entry of the same rater. */
  readonly raterOf?: string;
  /** Public id of the key that sent it, or made the token that did. */
  readonly keyId?: string;
  /** The end user of the call; what members said of it stays. */
  readonly endUserId?: string;
  /** Name of the metric or note, or of a group. */
  readonly name?: string;
  readonly since?: Date;
  readonly until?: Date;
}

/**
 * Removes feedback for an operator, a number of answers in each transaction, with an entry in the audit log for each.
 * Undefined where there is no entry whose rater is asked for.
 */
export async function removeFeedback(store: Store, filter: RemovedFeedback, isDryRun: boolean) {
  const found = await findRemoved(store, filter);
  if (found === undefined) return undefined;
  const hasMore = found.length > MOST;
  const rows = found.slice(0, MOST);
  if (isDryRun) return { removed: rows.length, hasMore };
  const remove = createRemover(store);
  const answers = [...Map.groupBy(rows, ({ answer }) => answer).values()];
  let removed = 0;
  for (let at = 0; at < answers.length; at += ANSWERS_AT_ONCE) {
    const ids = answers.slice(at, at + ANSWERS_AT_ONCE).flatMap((ofAnswer) => ofAnswer.map(({ id }) => id));
    removed += await store.unitOfWork(async (em) => {
      const gone = await remove(query(em), ids, "operator");
      if (gone.length > 0) appendAuditEntry(em, { ...store.origin, ...changeOf(filter, gone) });
      return gone.length;
    });
  }
  return { removed, hasMore };
}

function changeOf(filter: RemovedFeedback, gone: readonly FeedbackEntryRow[]) {
  const { projectId, since, until, ...by } = filter;
  const [first] = gone;
  const before = {
    ...by,
    ...(since !== undefined && { since: since.toISOString() }),
    ...(until !== undefined && { until: until.toISOString() }),
    entries: gone.map(({ id }) => id),
  };
  const target = { kind: "feedback", id: first?.id ?? "", name: gone.length === 1 ? (first?.name ?? "") : "" };
  return { projectId, action: "feedback.remove", target, before, after: null } as const;
}

/** Finds the entries, the first ones first, one more than a call removes at most. */
async function findRemoved(store: Store, filter: RemovedFeedback) {
  const { projectId, id, keyId, since, until, name, endUserId } = filter;
  const rater = filter.raterOf === undefined ? undefined : await findRater(store, projectId, filter.raterOf);
  if (filter.raterOf !== undefined && rater === undefined) return undefined;
  let rows = store
    .query()
    .selectFrom("FeedbackEntry")
    // A name of its own, as in take-back-feedback.ts.
    .select(["id", "inferenceId as answer"])
    .where("projectId", "=", projectId);
  if (id !== undefined) rows = rows.where("id", "=", id);
  if (keyId !== undefined) rows = rows.where("keyId", "=", keyId);
  if (since !== undefined) rows = rows.where("createdAt", ">=", since);
  if (until !== undefined) rows = rows.where("createdAt", "<", until);
  if (name !== undefined) {
    const start = sql<string>`substr(name, 1, ${[...name].length + 1})`;
    rows = rows.where((is) => is.or([is("name", "=", name), is(start, "=", `${name}.`)]));
  }
  const ofUser = endUserId ?? rater?.endUserId;
  if (ofUser !== undefined) {
    const calls = store.query().selectFrom("Inference").select("id");
    const own = calls.where((is) => is.and({ projectId, endUserId: ofUser }));
    rows = rows.where("inferenceId", "in", own);
    // A member's verdict is the member's own.
    rows = rows.where((is) => is.or([is("rater", "is", null), is("rater", "not like", "member:%")]));
  }
  if (rater !== undefined && rater.endUserId === undefined) {
    const named = store.query().selectFrom("Inference").select("id").where("projectId", "=", projectId);
    if (rater.rater === null) rows = rows.where("keyId", "=", rater.keyId).where("rater", "is", null);
    else rows = rows.where("rater", "=", rater.rater);
    if (!rater.isMember) rows = rows.where("inferenceId", "not in", named.where("endUserId", "is not", null));
  }
  return await rows
    .orderBy("id")
    .limit(MOST + 1)
    .execute();
}

/** Finds the rater of an entry: the end user of the call, or the member or the address, or else the key. */
async function findRater(store: Store, projectId: string, id: string) {
  const entry = await store
    .query()
    .selectFrom("FeedbackEntry")
    .leftJoin("Inference", "Inference.id", "FeedbackEntry.inferenceId")
    .select(["FeedbackEntry.rater", "FeedbackEntry.keyId", "Inference.endUserId"])
    .where("FeedbackEntry.id", "=", id)
    .where("FeedbackEntry.projectId", "=", projectId)
    .executeTakeFirst();
  if (entry === undefined) return undefined;
  const { keyId, rater = null } = entry;
  const isMember = getRater({ ...(rater !== null && { rater }) }, undefined).isTrusted && rater !== null;
  return { keyId, rater, isMember, endUserId: isMember ? undefined : (entry.endUserId ?? undefined) };
}
