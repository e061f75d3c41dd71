import { newId } from "../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { InferenceWrite } from "../../../src/store/types/record-batch.ts";
import { feedbackRow, inferenceRow } from "../../support/rows.ts";

/** Models of the catalogue in the tests of learning. */
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
    ...{ id: newId(), inferenceId: on.id, projectId: on.projectId, model: on.model, name: "ok", optimize: null },
    ...content,
    ...changes,
  });
}

/** What writes a row. */
export function write(row: InferenceRow): InferenceWrite {
  return { row, attempts: [], request: undefined, response: undefined };
}
