import type { InferenceRow } from "../entities/inference.ts";
import type { InferenceContent } from "./inference-body.ts";

/** The facts of an inference that is on its way to the database. */
export interface PendingFacts {
  readonly projectId: string;
  readonly model: string;
  readonly workload: string;
}

/** An inference that is not yet in the database. */
export interface PendingInference {
  readonly row: InferenceRow;
  /** Undefined where its bodies were given up. */
  readonly content: InferenceContent | undefined;
}

/** The inferences of this process that are on their way to the database. */
export interface PendingInferences {
  /** Finds an inference that is not yet in the database. */
  find(id: string): PendingFacts | undefined;
  /** Reads such an inference from the spool. */
  pending(id: string): PendingInference | undefined;
  /**
   * Resolves once what waits now is written, or when the time is over; without one, that may take long while the
   * database is away.
   */
  flush(limitMs?: number): Promise<void>;
}
