import type { Executor } from "../../database/executor.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { Engine } from "../../types/store.ts";

/** Entries with the inferences that are written beside them. */
interface Entries {
  readonly inferences: readonly InferenceRow[];
  readonly feedback: readonly FeedbackEntryRow[];
}

type NameServedModels = (execute: Executor, entries: Entries) => Promise<FeedbackEntryRow[]>;

/**
 * Creates what writes into entries of feedback which model gave the answer, so that quality is counted for it. The
 * record of the inference tells it, and comes before most of its feedback; where it does not, the entry stays as it is.
 */
export function createServedModels(engine: Engine): NameServedModels {
  // An array, and not a join: of the partitions, PostgreSQL then opens those of the ids alone.
  const given = engine === "postgres" ? "= any($1::uuid[])" : "in (select value from json_each(?1))";
  const sql = `select id, served_model as "servedModel" from inference where id ${given}`;
  const list = (ids: readonly string[]) => (engine === "postgres" ? `{${ids.join(",")}}` : JSON.stringify(ids));
  return async (execute, { inferences, feedback }) => {
    const served = new Map(inferences.map(({ id, servedModel }) => [id, servedModel]));
    const missing = new Set(feedback.flatMap(({ inferenceId }) => (served.has(inferenceId) ? [] : [inferenceId])));
    if (missing.size > 0) {
      const rows = await execute<{ id: string; servedModel: string }>(sql, [list([...missing])]);
      for (const { id, servedModel } of rows) served.set(id, servedModel);
    }
    return feedback.map((entry) => withServedModel(entry, served.get(entry.inferenceId)));
  };
}

/** Another candidate's answer may be of any model. */
function withServedModel(entry: FeedbackEntryRow, servedModel: string | undefined): FeedbackEntryRow {
  return entry.attempt != null || !servedModel ? entry : { ...entry, servedModel };
}
