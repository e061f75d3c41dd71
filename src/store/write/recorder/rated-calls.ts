import type { Executor } from "../../database/executor.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { Engine } from "../../types/store.ts";

/** The facts of a call that feedback on it is counted by. */
type RatedCall = Pick<InferenceRow, "servedModel" | "keyId" | "endUserId" | "tags">;

/** Calls by the id of the inference. */
export type RatedCalls = ReadonlyMap<string, RatedCall>;

/** Entries with the inferences that are written beside them. */
interface Entries {
  readonly inferences: readonly (RatedCall & Pick<InferenceRow, "id">)[];
  readonly feedback: readonly Pick<FeedbackEntryRow, "inferenceId">[];
}

type ReadRatedCalls = (execute: Executor, entries: Entries) => Promise<RatedCalls>;

/** A call as its engine gives it. */
interface CallRow extends Omit<RatedCall, "tags"> {
  readonly id: string;
  readonly tags: RatedCall["tags"] | string;
}

/**
 * Creates what reads the calls that entries of feedback are on. The record of a call comes before most of its feedback;
 * where it does not, the call is not known.
 */
export function createCallReader(engine: Engine): ReadRatedCalls {
  const sql =
    'select id, served_model as "servedModel", key_id as "keyId", end_user_id as "endUserId", tags ' +
    `from inference where id ${isInIdList(engine)}`;
  return async (execute, { inferences, feedback }) => {
    const calls = new Map<string, RatedCall>(inferences.map((inference) => [inference.id, inference]));
    const missing = new Set(feedback.flatMap(({ inferenceId }) => (calls.has(inferenceId) ? [] : [inferenceId])));
    if (missing.size > 0) {
      const rows = await execute<CallRow>(sql, [idList(engine, [...missing])]);
      for (const { id, tags, ...call } of rows) calls.set(id, { ...call, tags: readTags(tags) });
    }
    return calls;
  };
}

/** Returns the condition that an id is one of the only value of a query, an idList(). */
export function isInIdList(engine: Engine): string {
  // An array, and not a join: of the partitions, PostgreSQL then opens those of the ids alone.
  return engine === "postgres" ? "= any($1::uuid[])" : "in (select value from json_each(?1))";
}

/** Returns ids as a value. */
export function idList(engine: Engine, ids: readonly string[]): string {
  return engine === "postgres" ? `{${ids.join(",")}}` : JSON.stringify(ids);
}

function readTags(tags: CallRow["tags"]): RatedCall["tags"] {
  return typeof tags === "string" ? (JSON.parse(tags) as RatedCall["tags"]) : tags;
}

/**
 * Writes into an entry which model gave the answer, so that quality is counted for it. Another candidate's answer may
 * be of any model.
 */
export function withServedModel(entry: FeedbackEntryRow, call: RatedCall | undefined): FeedbackEntryRow {
  const servedModel = call?.servedModel;
  return entry.attempt != null || !servedModel ? entry : { ...entry, servedModel };
}
