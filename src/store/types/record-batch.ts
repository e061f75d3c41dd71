import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";
import type { InferenceAttemptRow } from "../entities/inference-attempt.ts";

/** One inference on its way to the database. */
export interface InferenceWrite {
  readonly row: InferenceRow;
  /** Its calls of upstreams, in the order in which they began. */
  readonly attempts: readonly InferenceAttemptRow[];
  /** What was asked, as protobuf, not compressed; undefined where bodies were given up. */
  readonly request: Uint8Array | undefined;
  /** What was answered, likewise. */
  readonly response: Uint8Array | undefined;
}

/** What is written together. */
export interface RecordBatch {
  readonly inferences: readonly InferenceWrite[];
  readonly feedback: readonly FeedbackEntryRow[];
}
