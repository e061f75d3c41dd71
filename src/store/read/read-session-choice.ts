import type { DecisionRecord, OverrideReason } from "../../hub/decision-record.ts";
import { SESSION_MS } from "../../hub/sessions.ts";
import { idTimeMs } from "../../lib/ids.ts";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** A session, and the base model that is asked for in it. */
export interface SessionOfModel {
  readonly projectId: string;
  readonly keyId: string;
  readonly source: string;
  readonly sessionId: string;
  readonly model: string;
}

interface Row {
  readonly id: string;
  /** As its engine gives JSON. */
  readonly decision: DecisionRecord | string;
}

/** The latest calls that are looked at: a few of them may have been answered otherwise than the session is. */
const MOST_CALLS = 10;

/** The reasons for which a call was answered otherwise than its session is. */
const SAYS_NOTHING: ReadonlySet<OverrideReason> = new Set(["unfit", "conversation", "unread"]);

/** Returns the arm that answers in a session by its latest records; undefined where none of the last two hours says. */
export async function readSessionChoice(
  store: Store,
  { projectId, keyId, source, sessionId, model }: SessionOfModel,
): Promise<string | undefined> {
  const rows = await readRows<Row>(
    store,
    "select id, decision from inference where project_id = ? and session_id = ? and key_id = ? " +
      "and session_source = ? " +
      "and model = ? and decision is not null order by id desc limit ?",
    [projectId, sessionId, keyId, source, model, MOST_CALLS],
  );
  for (const { id, decision: found } of rows) {
    if (Date.now() - (idTimeMs(id) ?? 0) >= SESSION_MS) return undefined;
    const decision: DecisionRecord = typeof found === "string" ? JSON.parse(found) : found;
    if (decision.mode !== "on" || (decision.kept !== undefined && SAYS_NOTHING.has(decision.kept))) continue;
    return decision.arms[decision.arm];
  }
  return undefined;
}
