import { SESSION_CALLS } from "../../hub/sessions.ts";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { latestSession } from "./latest-session.ts";

interface Call {
  readonly id: string;
  readonly keyId: string;
  readonly source: string | null;
  readonly model: string;
  readonly servedModel: string;
  readonly family: string;
}

/**
 * Finds the inference that stands for the latest session of an id: of the base model and family that most of its calls
 * have, the latest call that was answered by the model that served most of these; or the one of these that earlier
 * feedback on the session is on, so that there is one reward. Undefined where there is none.
 */
export async function findSession(
  store: Store,
  { sessionId, projectId, keyId }: { readonly sessionId: string; readonly projectId: string; readonly keyId: string },
): Promise<string | undefined> {
  const read = async (condition: string, values: readonly string[]) =>
    await readRows<Call>(
      store,
      'select id, key_id as "keyId", session_source as source, model, served_model as "servedModel", family ' +
        `from inference where project_id = ? and session_id = ?${condition} order by id desc limit ?`,
      [projectId, sessionId, ...values, SESSION_CALLS],
    );
  // Another key's calls of the same id come later than those that are meant, or are made to.
  const ofKey = await read(" and key_id = ?", [keyId]);
  const calls = ofKey.length > 0 ? ofKey : await read("", []);
  const [latest] = calls;
  if (latest === undefined) return undefined;
  const own = latestSession(calls.filter(({ keyId, source }) => keyId === latest.keyId && source === latest.source));
  const pair = largest(own, ({ model, family }) => JSON.stringify([model, family]));
  const served = largest(pair, ({ servedModel }) => servedModel);
  const before = await latestStandIn(store, sessionId, projectId);
  return (served.find(({ id }) => id === before) ?? served[0])?.id;
}

async function latestStandIn(store: Store, sessionId: string, projectId: string): Promise<string | undefined> {
  const [row] = await readRows<{ readonly id: string }>(
    store,
    "select inference_id as id from feedback_entry where project_id = ? and session_id = ? order by id desc limit 1",
    [projectId, sessionId],
  );
  return row?.id;
}

/** The largest group, in the order of the calls; the one with the latest call where several are as large. */
function largest(calls: readonly Call[], keyOf: (call: Call) => string): readonly Call[] {
  const groups = [...Map.groupBy(calls, keyOf).values()];
  return groups.reduce((one, other) => (other.length > one.length ? other : one), []);
}
