import { SESSION_CALLS, SESSION_MS } from "../../../hub/sessions.ts";
import { idTimeMs } from "../../../lib/ids.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { latestSession } from "../../read/latest-session.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** The facts of a call that a run shows. */
export type RunCall = Pick<InferenceRow, (typeof COLUMNS)[number]>;

/** A run of an agent: the latest session of an id, and those that it began. */
interface SessionRun {
  /** In the order in which they were made. */
  readonly calls: readonly RunCall[];
  /** True if it has more calls than are read. */
  readonly isCut: boolean;
  /** True if the id had a session before this one. */
  readonly hasEarlier: boolean;
  /** Feedback on the calls and on the sessions as a whole, the oldest first. */
  readonly feedback: readonly FeedbackEntryRow[];
}

const COLUMNS = [
  ...(["id", "sessionId", "parentSessionId", "model", "servedModel", "upstream", "status", "errorReason"] as const),
  ...(["startedAt", "latencyMs", "timeToFirstTokenMs", "inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const),
  ...(["outputTokens", "usageEstimated", "costNanos", "deviation", "optimizations", "translationLosses"] as const),
  ...(["finishReason", "keyId", "endUserId", "workload"] as const),
];

/** Sessions that began each other, one within the other; deeper ones are left out. */
const MOST_DEPTH = 5;
const MOST_SESSIONS = 50;
const MOST_FEEDBACK = 500;

/** Reads the latest run of a session; undefined where the project has no call of it. */
export async function readSessionRun(
  store: Store,
  { projectId, sessionId }: { readonly projectId: string; readonly sessionId: string },
): Promise<SessionRun | undefined> {
  const own = await ofSession(store, projectId).where("sessionId", "=", sessionId).execute();
  const latest = latestSession(own);
  const [first, last] = [latest.at(-1), latest[0]];
  if (first === undefined || last === undefined) return undefined;
  const endId = firstIdAt((idTimeMs(last.id) ?? 0) + SESSION_MS);
  const calls = [...latest];
  const known = new Set([sessionId]);
  for (let level = [sessionId], depth = 0; level.length > 0 && depth < MOST_DEPTH; depth += 1) {
    const begun = await ofSession(store, projectId)
      .where("parentSessionId", "in", level)
      .where("id", ">=", first.id)
      .where("id", "<", endId)
      .execute();
    const added = begun.filter(({ sessionId: id }) => id != null && !known.has(id));
    level = [...new Set(added.map(({ sessionId: id }) => id ?? ""))].slice(0, MOST_SESSIONS - known.size);
    for (const id of level) known.add(id);
    calls.push(...added.filter(({ sessionId: id }) => level.includes(id ?? "")));
  }
  const ordered = calls.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, SESSION_CALLS);
  return {
    calls: ordered,
    isCut: calls.length > ordered.length || own.length === SESSION_CALLS,
    hasEarlier: latest.length < own.length,
    feedback: await feedbackOn(store, projectId, { ids: ordered.map(({ id }) => id), sessions: [...known], first }),
  };
}

/** The newest calls, as many as a session may have. */
function ofSession(store: Store, projectId: string) {
  const calls = store
    .query()
    .selectFrom("Inference")
    .select([...COLUMNS])
    .where("projectId", "=", projectId);
  return calls.orderBy("id", "desc").limit(SESSION_CALLS);
}

interface FeedbackPlaces {
  readonly ids: readonly string[];
  readonly sessions: readonly string[];
  readonly first: RunCall;
}

async function feedbackOn(
  store: Store,
  projectId: string,
  { ids, sessions, first }: FeedbackPlaces,
): Promise<FeedbackEntryRow[]> {
  const entries = () => store.query().selectFrom("FeedbackEntry").selectAll().where("projectId", "=", projectId);
  const [onCalls, onSessions] = await Promise.all([
    entries()
      .where("inferenceId", "in", [...ids])
      .orderBy("id", "desc")
      .limit(MOST_FEEDBACK)
      .execute(),
    entries()
      .where("sessionId", "in", [...sessions])
      .where("id", ">=", first.id)
      .orderBy("id", "desc")
      .limit(MOST_FEEDBACK)
      .execute(),
  ]);
  const byId = new Map([...onCalls, ...onSessions].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-MOST_FEEDBACK);
}
