import { SESSION_CALLS } from "../../hub/sessions.ts";
import type { CallSession, RatedCall, SessionMetric, StoredValue } from "../../learning/ports.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";

const IDS_AT_ONCE = 1000;
const METRICS_AT_ONCE = 100;

/** The forms that the engines give a list in JSON, and the members of a value. */
const FORMS = {
  postgres: {
    ids: "(select value::uuid as id from json_array_elements_text($1::json))",
    most: "$2",
    metrics: `json_to_recordset($1::json) as given ("at" int, "projectId" uuid, "keyId" text, "source" text,
      "sessionId" text, "name" text, "fromMs" float8, "toMs" float8)`,
    time: (column: string) => `(extract(epoch from ${column}) * 1000)::float8`,
  },
  sqlite: {
    ids: "(select value as id from json_each(?1))",
    most: "?2",
    metrics: `(select value ->> 'at' as "at", value ->> 'projectId' as "projectId", value ->> 'keyId' as "keyId",
      value ->> 'source' as "source", value ->> 'sessionId' as "sessionId", value ->> 'name' as "name",
      value ->> 'fromMs' as "fromMs", value ->> 'toMs' as "toMs" from json_each(?1)) as given`,
    time: (column: string) => column,
  },
} as const;

/**
 * Returns the parts of a query that read the latest calls of a session as `i`; `given` has the row that names it. On
 * PostgreSQL each session's calls are read by themselves: its planner would begin with all feedback of a name, and look
 * for the session of each, which takes a hundred times as long.
 */
function latestCalls(engine: Engine, given: string, columns: readonly string[]) {
  const isInSession = `i."project_id" = ${given}."projectId" and i."session_id" = ${given}."sessionId"`;
  const select = (names: string) =>
    `(select ${names} from "inference" i where ${isInSession} order by i."id" desc limit ${SESSION_CALLS})`;
  const isOfCaller = `i."key_id" = ${given}."keyId" and i."session_source" is not distinct from ${given}."source"`;
  if (engine === "postgres") {
    const names = ["id", "key_id", "session_source", ...columns].map((column) => `i."${column}"`).join(", ");
    return { from: `cross join lateral ${select(names)} as i`, where: isOfCaller };
  }
  const isLatest = `${isInSession} and i."id" in ${select('i."id"')}`;
  return { from: 'cross join "inference" i', where: `${isLatest} and ${isOfCaller}` };
}

/** Values of a metric on a call, whose name is in the row `given`; `offset 0` keeps PostgreSQL from beginning with them. */
const VALUES_OF_CALL: Record<Engine, string> = {
  postgres: `cross join lateral (
    select * from "feedback_entry" f where f."inference_id" = i."id" and f."name" = given."name" offset 0
  ) as f`,
  sqlite: 'cross join "feedback_entry" f on f."inference_id" = i."id" and f."name" = given."name"',
};

const VALUE = `f."id", f."inference_id" as "inferenceId", f."name", f."optimize",
  coalesce(f."float_value", case when f."boolean_value" then 1 else 0 end) as "number",
  f."kind" = 'boolean' as "isBoolean",
  f."session_id" is not null as "isOnSession"`;

/** The values of answers that were given; those of other candidates and notes are none. */
const IS_VALUE = `f."kind" <> 'note' and f."attempt" is null`;

interface ValueRow extends Omit<StoredValue, "value" | "isOnSession"> {
  readonly isOnSession: boolean | number;
  readonly number: number;
  readonly isBoolean: boolean | number;
}

/** Reads the first values of answers; see LearningStep. */
export async function findValues(
  engine: Engine,
  execute: Executor,
  { inferenceIds, most }: { readonly inferenceIds: readonly string[]; readonly most: number },
): Promise<Map<string, readonly StoredValue[]>> {
  const { ids, most: mark, time } = FORMS[engine];
  const values: StoredValue[] = [];
  for (let from = 0; from < inferenceIds.length; from += IDS_AT_ONCE) {
    const rows = await execute<ValueRow>(
      `select * from (select ${VALUE}, ${time('f."created_at"')} as "atMs",
           row_number() over (partition by f."inference_id" order by f."id") as "number_of"
         from ${ids} as asked join "feedback_entry" f on f."inference_id" = asked."id" where ${IS_VALUE}
       ) as said where "number_of" <= ${mark} order by "id"`,
      [JSON.stringify(inferenceIds.slice(from, from + IDS_AT_ONCE)), most],
    );
    values.push(...rows.map(toValue));
  }
  return Map.groupBy(values, ({ inferenceId }) => inferenceId);
}

/**
 * Reads the values of metrics in the latest calls of sessions; see LearningStep. The calls are found by the session,
 * and the values by the call and the name.
 */
export async function findInSessions(
  engine: Engine,
  execute: Executor,
  metrics: readonly SessionMetric[],
): Promise<StoredValue[][]> {
  const { metrics: list, time } = FORMS[engine];
  const atMs = time('f."created_at"');
  const { from: calls, where: isOfSession } = latestCalls(engine, "given", []);
  const found: StoredValue[][] = metrics.map(() => []);
  for (let from = 0; from < metrics.length; from += METRICS_AT_ONCE) {
    const batch = metrics.slice(from, from + METRICS_AT_ONCE).map(({ session: { id, ...session }, ...metric }, at) => {
      return { at: from + at, ...session, sessionId: id, ...metric };
    });
    const rows = await execute<ValueRow & { at: number }>(
      `select given."at", ${VALUE}, ${atMs} as "atMs" from ${list}
         ${calls} ${VALUES_OF_CALL[engine]}
         where ${isOfSession} and f."project_id" = given."projectId" and ${IS_VALUE}
         and f."session_id" is null and ${atMs} >= given."fromMs" and ${atMs} <= given."toMs"`,
      [JSON.stringify(batch)],
    );
    for (const { at, ...row } of rows) found[at]?.push(toValue(row));
  }
  return found;
}

/** Reads the latest calls of those of the sessions that feedback as a whole is on; see LearningStep. */
export async function findJudgedCalls(
  engine: Engine,
  execute: Executor,
  sessions: readonly CallSession[],
): Promise<Map<number, readonly RatedCall[]>> {
  const found = new Map<number, readonly RatedCall[]>();
  const columns = ["model", "served_model", "family", "decision"];
  const { from: calls, where: isOfSession } = latestCalls(engine, "judged", columns);
  for (let from = 0; from < sessions.length; from += METRICS_AT_ONCE) {
    const batch = sessions.slice(from, from + METRICS_AT_ONCE).map(({ id, ...session }, at) => {
      return { at: from + at, ...session, sessionId: id };
    });
    const rows = await execute<RatedCall & { at: number; several: string | null }>(
      `select judged."at", i."id", i."model", i."served_model" as "servedModel", i."family",
           i."decision" ->> 'several' as "several"
         from (select given.* from ${FORMS[engine].metrics} where exists (
           select 1 from "feedback_entry" f where f."project_id" = given."projectId"
             and f."session_id" = given."sessionId" and f."kind" <> 'note'
         )) as judged ${calls}
         where ${isOfSession}
         order by i."id"`,
      [JSON.stringify(batch)],
    );
    for (const [at, calls] of Map.groupBy(rows, (row) => row.at)) found.set(at, calls.map(toCall));
  }
  return found;
}

function toCall({ id, model, servedModel, family, several }: RatedCall & { several: string | null }): RatedCall {
  return { id, model, servedModel: several ?? servedModel, family };
}

function toValue({ number, isBoolean, isOnSession, id, inferenceId, name, optimize, atMs }: ValueRow): StoredValue {
  const value = isBoolean ? number !== 0 : number;
  return { id, inferenceId, name, optimize, atMs, value, isOnSession: Boolean(isOnSession) };
}
