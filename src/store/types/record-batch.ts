import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";
import type { InferenceAttemptRow } from "../entities/inference-attempt.ts";

/** One inference on its way to the database. */
export interface InferenceWrite {
  readonly row: InferenceRow;
  /** Its calls of upstreams, in the order in which they began. */
  readonly attempts: readonly InferenceAttemptRow[];
  /** The request as protobuf, not compressed; undefined where bodies were dropped. */
  readonly request: Uint8Array | undefined;
  /** The response, likewise. */
  readonly response: Uint8Array | undefined;
  /** The first words of the prompt and of the answer as they are stored; absent where bodies were dropped. */
  readonly words?: readonly [prompt: string, answer: string] | undefined;
  /** The items of the answer that its upstream has named; absent if there are none. */
  readonly items?: NamedItems | undefined;
}

/** Digests of the ids of items, of itemName(), and of what the answer was an answer to, of askedBefore(). */
export interface NamedItems {
  readonly asked: string;
  readonly names: readonly string[];
}

/** The records that are written together. */
export interface RecordBatch {
  readonly inferences: readonly InferenceWrite[];
  readonly feedback: readonly FeedbackEntryRow[];
}
