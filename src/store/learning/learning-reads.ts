import type { FeedbackEvent, LearningEvent } from "../../learning/events.ts";
import type { BookStore } from "../../learning/learner/workload-cache.ts";
import {
  type CallSession,
  type FeedbackTarget,
  keyText,
  type LearningStep,
  type OtherValue,
  type StoredState,
} from "../../learning/ports.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";
import { readChoices } from "./read-choices.ts";
import { findInSessions, findJudgedCalls, findValues } from "./read-values.ts";

/** Ids that one statement asks for. */
const IDS_AT_ONCE = 1000;
/** Batches that are looked at for one step. */
const MOST_BATCHES = 200;

interface StateRow {
  readonly projectId: string;
  readonly model: string;
  readonly version: number;
  readonly snapshot: string | null;
  /** A number on SQLite. */
  readonly updatedAt: Date | number;
}

/**
 * The forms that the engines give a list in JSON, and a time. Ids are compared so that no index is searched by them:
 * all of a project's earlier entries would be read, where those of one metric of one inference are asked for.
 */
const FORMS = {
  postgres: {
    time: (ms: number) => new Date(ms).toISOString(),
    ids: "(select value::uuid as id from json_array_elements_text($1::json))",
    keys: `(select "projectId", "model" from json_to_recordset($1::json) as given ("projectId" uuid, "model" text))`,
    entries:
      `json_to_recordset($1::json) as given ("id" uuid, "inferenceId" uuid, "projectId" uuid, "name" text, ` +
      `"attempt" int)`,
    due: "$1::timestamptz",
    now: "now()",
    limit: "$2",
    earlier: 'f."id"::text < given."id"::text',
  },
  sqlite: {
    time: (ms: number) => ms,
    ids: "(select value as id from json_each(?))",
    keys: `(select value ->> 'projectId' as "projectId", value ->> 'model' as "model" from json_each(?))`,
    entries: `(select value ->> 'id' as "id", value ->> 'inferenceId' as "inferenceId",
      value ->> 'projectId' as "projectId",
      value ->> 'name' as "name", value ->> 'attempt' as "attempt" from json_each(?)) as given`,
    due: "?1",
    now: "?1",
    limit: "?2",
    earlier: '+f."id" < given."id"',
  },
} as const;

type Forms = (typeof FORMS)[Engine];

interface OtherRow extends OtherValue {
  readonly id: string;
}

/** Values on the metric of a given entry, on any answer to the same request. */
const sameMetric =
  `f."project_id" = given."projectId" and f."name" = given."name" and f."inference_id" = given."inferenceId" ` +
  `and f."kind" <> 'note'`;

function feedbackSql(feedback: readonly FeedbackEvent[]): string {
  return JSON.stringify(
    feedback.map(({ id, inferenceId, projectId, name, attempt }) => ({ id, inferenceId, projectId, name, attempt })),
  );
}

/** The reads of learning: steps of the learner, and the workload cache. */
type LearningReads = Omit<LearningStep, "write"> & BookStore;

/** Creates what learning reads by. */
export function createLearningReads(engine: Engine, execute: Executor): LearningReads {
  const forms = FORMS[engine];
  const { time, keys, due, now, limit } = forms;
  const readStates = async (from: string, values: readonly unknown[]): Promise<StoredState[]> => {
    const rows = await execute<StateRow>(
      `select "project_id" as "projectId", "model", "version", "snapshot", "updated_at" as "updatedAt" from ${from}`,
      values,
    );
    return rows.map(toState);
  };
  return {
    async readBatches(mostEvents) {
      const rows = await execute<{ id: string; events: string }>(
        `select b."id", b."events" from "learning_batch" b join (
           select "id", sum("size") over (order by "id") - "size" as "before" from (
             select "id", "size" from "learning_batch" where "due_at" <= ${due} and not exists (
               select 1 from "learning_mark" where "paused_until" > ${now}
             ) order by "id" limit ${MOST_BATCHES}
           ) as waiting
         ) as counted on counted."id" = b."id" where counted."before" < ${limit} order by b."id"`,
        [time(Date.now()), mostEvents],
      );
      return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as LearningEvent[] }));
    },
    findTargets: (inferenceIds) => findTargets(inferenceIds, forms, execute),
    findRepeated: (feedback) => findRepeated(feedback, forms, execute),
    findOthers: (feedback) => findOthers(feedback, forms, execute),
    findValues: (inferenceIds, most) => findValues(engine, execute, { inferenceIds, most }),
    findJudgedCalls: (sessions) => findJudgedCalls(engine, execute, sessions),
    findInSessions: (metrics) => findInSessions(engine, execute, metrics),
    async readVersions(wanted) {
      const rows = await execute<Omit<StateRow, "snapshot" | "updatedAt">>(
        `select s."project_id" as "projectId", s."model", s."version" from ${keys} as asked
           join "workload_state" s on s."project_id" = asked."projectId" and s."model" = asked."model"`,
        [JSON.stringify(wanted)],
      );
      return new Map(rows.map(({ version, ...key }) => [keyText(key), version]));
    },
    readStates: (wanted) =>
      readStates(
        `(select s.* from ${keys} as asked join "workload_state" s on s."project_id" = asked."projectId" and ` +
          `s."model" = asked."model") as found`,
        [JSON.stringify(wanted)],
      ),
    readLatest: (most) =>
      readStates(
        `"workload_state" where "snapshot" is not null order by "updated_at" desc limit ` +
          `${engine === "postgres" ? "$1" : "?"}`,
        [most],
      ),
    readNeighbours: ({ projectId, model }, most) =>
      readStates(
        engine === "postgres"
          ? `"workload_state" where "project_id" = $1 and "model" <> $2 and "snapshot" is not null order by ` +
              `"rewards" desc limit $3`
          : `"workload_state" where "project_id" = ? and "model" <> ? and "snapshot" is not null order by ` +
              `"rewards" desc limit ?`,
        [projectId, model, most],
      ),
  };
}

interface TargetRow extends Omit<CallSession, "id"> {
  readonly id: string;
  readonly model: string;
  readonly servedModel: string;
  readonly family: string;
  readonly several: string | null;
  readonly sessionId: string | null;
  readonly endUserId: string | null;
}

function toTarget({
  model,
  servedModel,
  family,
  several,
  sessionId,
  projectId,
  keyId,
  source,
  endUserId,
}: TargetRow): FeedbackTarget {
  const target = { model, servedModel: several ?? servedModel, family, ...(endUserId !== null && { endUserId }) };
  return sessionId === null ? target : { ...target, session: { projectId, keyId, source, id: sessionId } };
}

async function findTargets(
  inferenceIds: readonly string[],
  { ids }: Forms,
  execute: Executor,
): Promise<Map<string, FeedbackTarget>> {
  const targets = new Map<string, FeedbackTarget>();
  for (let from = 0; from < inferenceIds.length; from += IDS_AT_ONCE) {
    const rows = await execute<TargetRow>(
      `select i."id", i."model", i."served_model" as "servedModel", i."family", i."decision" ->> ` +
        `'several' as "several", i."project_id" as "projectId", i."key_id" as "keyId", ` +
        `i."session_source" as "source", ` +
        `i."session_id" as "sessionId", i."end_user_id" as "endUserId" from ${ids} as asked join "inference" i on i."id" = asked."id"`,
      [JSON.stringify(inferenceIds.slice(from, from + IDS_AT_ONCE))],
    );
    for (const row of rows) targets.set(row.id, toTarget(row));
    const chosen = rows.filter(({ family, several }) => family === "" || several !== null).map(({ id }) => id);
    for (const [id, choice] of await readChoices(execute, ids, chosen)) {
      const target = targets.get(id);
      if (target !== undefined) targets.set(id, { ...target, choice });
    }
  }
  return targets;
}

async function findRepeated(
  feedback: readonly FeedbackEvent[],
  { entries, earlier }: Forms,
  execute: Executor,
): Promise<Set<string>> {
  const repeated = new Set<string>();
  for (let from = 0; from < feedback.length; from += IDS_AT_ONCE) {
    const batch = feedback.slice(from, from + IDS_AT_ONCE);
    const rows = await execute<{ id: string }>(
      `select given."id" from ${entries} where exists (select 1 from "feedback_entry" f where ${sameMetric} and ${earlier}
         and f."attempt" is not distinct from given."attempt" and f."session_id" is null)`,
      [feedbackSql(batch.filter(({ isOnSession }) => isOnSession !== true))],
    );
    for (const { id } of rows) repeated.add(id);
  }
  return repeated;
}

async function findOthers(
  feedback: readonly FeedbackEvent[],
  { entries, earlier }: Forms,
  execute: Executor,
): Promise<Map<string, OtherValue[]>> {
  const others = new Map<string, OtherValue[]>();
  for (let from = 0; from < feedback.length; from += IDS_AT_ONCE) {
    const rows = await execute<OtherRow>(
      `select "id", "attempt", "value" from (
         select given."id", f."attempt", coalesce(f."float_value", case when f."boolean_value" then 1 else 0 end) as "value",
           row_number() over (partition by given."id", f."attempt" order by f."id") as "number"
         from ${entries} join "feedback_entry" f on ${sameMetric} and ${earlier}
         where f."attempt" is distinct from given."attempt") as said where "number" = 1 order by "id", "attempt"`,
      [feedbackSql(feedback.slice(from, from + IDS_AT_ONCE))],
    );
    for (const [id, values] of Map.groupBy(rows, (row) => row.id)) {
      others.set(
        id,
        values.map(({ attempt, value }) => ({ attempt, value })),
      );
    }
  }
  return others;
}

function toState({ projectId, model, version, snapshot, updatedAt }: StateRow): StoredState {
  const updatedAtMs = new Date(updatedAt).getTime();
  return { key: { projectId, model }, version, snapshot: snapshot ?? undefined, updatedAtMs };
}
