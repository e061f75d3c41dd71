import { readRows } from "../../database/executor.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { Store } from "../../types/store.ts";

/** The entries of feedback on an inference, counted. */
interface FeedbackCounts {
  /** Yes or no, by what is better: no, where the caller says that less is better. */
  readonly good: number;
  readonly bad: number;
  /** Numbers and notes. */
  readonly others: number;
}

/** An inference with what a list tells of it beside its facts. */
export interface HistoryRow extends InferenceRow {
  /** The first words of the latest prompt, and those of the answer; empty where they are not stored. */
  readonly prompt: string;
  readonly answer: string;
  /** Null where there is none. */
  readonly feedback: FeedbackCounts | null;
}

/** Adds first words and counts of feedback to inferences of one project. */
export async function describeRows(store: Store, rows: readonly InferenceRow[]): Promise<HistoryRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const bodies = store.query().selectFrom("InferenceBody").select(["id", "prompt", "answer"]);
  const [words, counts] = await Promise.all([bodies.where("id", "in", ids).execute(), countFeedback(store, ids)]);
  const wordsOf = new Map(words.map((row) => [row.id, row]));
  return rows.map((row) => {
    const { prompt = "", answer = "" } = wordsOf.get(row.id) ?? {};
    return { ...row, prompt, answer, feedback: counts.get(row.id) ?? null };
  });
}

/** SQL that is true where a boolean is what its caller wants; of entries on answers that were given. */
const IS_GOOD = "boolean_value = (coalesce(optimize, 'max') <> 'min')";

async function countFeedback(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, FeedbackCounts>> {
  const sql =
    "select inference_id, count(*) as entries, count(boolean_value) as booleans, " +
    `sum(case when ${IS_GOOD} then 1 else 0 end) as good from feedback_entry where attempt is null and ` +
    `inference_id in (${ids.map(() => "?").join(", ")}) group by inference_id`;
  type Counted = { inference_id: string; entries: number; booleans: number; good: number };
  const rows = await readRows<Counted>(store, sql, ids);
  return new Map(
    rows.map(({ inference_id, entries, booleans, good }) => {
      const counts = { good: Number(good), bad: Number(booleans) - Number(good) };
      return [inference_id, { ...counts, others: Number(entries) - Number(booleans) }];
    }),
  );
}
