import { newId } from "../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { InferenceWrite } from "../../../src/store/types/record-batch.ts";
import { attemptRow, feedbackRow, inferenceRow, SIGNALS } from "../../support/rows.ts";

/** Models of the catalog in the tests of learning. */
export const MODELS = ["base", "good", "other"];

/** An inference of a workload that is learned of: base unless another model is named. */
export function served(changes: Partial<InferenceRow> = {}): InferenceRow {
  return inferenceRow({ model: "base", servedModel: "base", family: "tag:a", ...changes });
}

/** Feedback on an inference: a boolean, or a number. */
export function said(on: InferenceRow, value: boolean | number, changes: Partial<FeedbackEntryRow> = {}) {
  const content =
    typeof value === "boolean"
      ? { kind: "boolean", booleanValue: value, floatValue: null }
      : { kind: "float", booleanValue: null, floatValue: value };
  return feedbackRow({
    id: newId(),
    inferenceId: on.id,
    projectId: on.projectId,
    model: on.model,
    name: "ok",
    optimize: null,
    ...content,
    ...changes,
  });
}

/** What writes a row. */
export function write(row: InferenceRow): InferenceWrite {
  return { row, attempts: [], request: undefined, response: undefined };
}

/**
 * An inference with two answers, of which chance returned the long one or the short one; a third had failed a check.
 */
export function several(key: Partial<InferenceRow>, returned: "long" | "short", reason = "random"): InferenceWrite {
  const row = served({ ...key, family: "", deviation: "best_of_n" });
  const candidate = (position: number, changes: object) =>
    attemptRow({ id: row.id, position, role: "candidate", candidateReason: "not_drawn", isWinner: false, ...changes });
  const drawn = { isWinner: true, candidateReason: reason };
  const long = { ranking: { signals: { ...SIGNALS, length: 0.7, characters: 999 }, chance: 0.5, expectedReward: 0.3 } };
  const short = {
    ranking: { signals: { ...SIGNALS, length: -0.7, characters: 499 }, chance: 0.5, expectedReward: 0.7 },
  };
  const attempts = [
    candidate(0, { failedChecks: ["cut"], candidateReason: "lower_score" }),
    candidate(1, { ...long, ...(returned === "long" && drawn) }),
    candidate(2, { ...short, ...(returned === "short" && drawn) }),
  ];
  return { ...write(row), attempts };
}
