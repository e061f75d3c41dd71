import { InferenceError } from "../hub/error.ts";
import type { EventDraft } from "./draft-event.ts";
import type { InferenceLookup } from "./ports.ts";

/** Most sessions that one batch may name: each is a question to the database. */
const MAX_SESSIONS = 100;

type Step = EventDraft | InferenceError;

/**
 * Gives the events on sessions the inferences that stand for these. An event on a session that has no calls fails, and
 * so do those beyond the bound. Rejects where the database cannot say.
 */
export async function findSessions(
  { findSession }: Pick<InferenceLookup, "findSession">,
  drafts: readonly Step[],
  { projectId, keyId }: { readonly projectId: string; readonly keyId: string },
): Promise<readonly Step[]> {
  const names = new Set<string>();
  for (const draft of drafts) {
    if (!(draft instanceof InferenceError) && draft.sessionId !== null) names.add(draft.sessionId);
  }
  if (names.size === 0) return drafts;
  const found = new Map<string, string | undefined>();
  for (const name of [...names].slice(0, MAX_SESSIONS)) found.set(name, await findSession(name, projectId, keyId));
  return drafts.map((draft) => {
    if (draft instanceof InferenceError || draft.sessionId === null) return draft;
    if (!found.has(draft.sessionId)) return tooMany();
    const inferenceId = found.get(draft.sessionId);
    return inferenceId === undefined ? missingSession(draft.sessionId) : { ...draft, inferenceId };
  });
}

function missingSession(id: string): InferenceError {
  return InferenceError.invalid("session_id", `the session '${id.slice(0, 64)}' has no calls`);
}

function tooMany(): InferenceError {
  return InferenceError.invalid("session_id", `names more than ${MAX_SESSIONS} sessions in one batch: send several`);
}
