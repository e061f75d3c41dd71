import type { ReadSaid } from "../../feedback/ports.ts";
import type { Store } from "../types/store.ts";

/** Creates the reading of what a rater said on an answer or a session with feedback tokens. */
export function createSaidReader(store: Store): ReadSaid {
  return async ({ inferenceId, attempt, sessionId, rater }, projectId, most) => {
    const said = store.query().selectFrom("FeedbackEntry").select("name").where("projectId", "=", projectId);
    const on =
      sessionId === null
        ? said
            .where("inferenceId", "=", inferenceId)
            .where("attempt", attempt === null ? "is" : "=", attempt)
            .where("sessionId", "is", null)
        : said.where("sessionId", "=", sessionId);
    const rows = await on
      .where("rater", rater === undefined ? "is" : "=", rater ?? null)
      .limit(most)
      .execute();
    return rows.map(({ name }) => name);
  };
}
