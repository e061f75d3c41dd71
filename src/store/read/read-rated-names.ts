import type { FeedbackContent, ReadKinds, ReadRatedNames } from "../../feedback/ports.ts";
import type { Store } from "../types/store.ts";

/** Creates the reading of what a rater said on an answer or a session with feedback tokens. */
export function createRatedNamesReader(store: Store): ReadRatedNames {
  return async ({ inferenceId, attempt, sessionId, rater }, projectId, most) => {
    const names = store.query().selectFrom("FeedbackEntry").select("name").where("projectId", "=", projectId);
    const on =
      sessionId === null
        ? names
            .where("inferenceId", "=", inferenceId)
            .where("attempt", attempt === null ? "is" : "=", attempt)
            .where("sessionId", "is", null)
        : names.where("sessionId", "=", sessionId);
    const rows = await on
      .where("rater", rater === undefined ? "is" : "=", rater ?? null)
      .limit(most)
      .execute();
    return rows.map(({ name }) => name);
  };
}

/** The latest answers with a value of a name, whose kinds are read: an index has them in their order. */
const LATEST = 20;

/** Creates the reading of the kinds of a name's latest values. */
export function createKindsReader(store: Store): ReadKinds {
  return async (projectId, name) => {
    const rows = await store
      .query()
      .selectFrom("FeedbackEntry")
      .select("kind")
      .where((is) => is.and({ projectId, name }))
      .orderBy("inferenceId", "desc")
      .limit(LATEST)
      .execute();
    return [...new Set(rows.map(({ kind }) => kind as FeedbackContent["kind"]))];
  };
}
