import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { InferenceStatus } from "../records.ts";

/** An inference that can be read; one that is completed can be continued. */
export interface StoredInference {
  readonly id: string;
  /** Completed where it is not said. */
  readonly status?: InferenceStatus | "queued" | "in_progress";
  /** Why it failed. */
  readonly error?: InferenceError | undefined;
  /** The inference that it continues. */
  readonly previousId?: string | undefined;
  readonly input: HubInput;
  readonly output: GenerateResponse;
}

/** The place where an item is that an upstream has named. */
export interface IndexedItem {
  readonly inferenceId: string;
  /** The upstream that made it. */
  readonly upstream: string;
  /** True if that upstream was asked to store it, so that a reference says it there. */
  readonly isStored: boolean;
  /** Digest of what the answer was an answer to. */
  readonly asked: string;
}

/**
 * The inferences that were to be stored and completed, or were made in the background, and were not deleted since. Ids
 * are UUIDs in small letters.
 */
export interface InferenceArchive {
  /**
   * Reads an inference of a project and those it continues, the latest first, as far back as they are there, at most
   * `limit`; empty if there is none of that id. One that is under way, or not yet in the database, is waited for, in
   * whatever process. Throws REQUEST_TOO_LARGE if they are larger together than a request may be, UNAVAILABLE where
   * that takes too long.
   */
  readChain(id: string, projectId: string, limit: number): Promise<readonly StoredInference[]>;
  /**
   * Reads the answers of inferences of a project, by their ids, also of those that cannot be continued; what cannot be
   * had soon is left out. Absent where none can be read.
   */
  readAnswers?(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, GenerateResponse>>;
  /**
   * Finds the answers of a project that have items of these names, whichever process made them, the latest first; what
   * cannot be had soon is left out. Absent where none can be found.
   */
  findItems?(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, readonly IndexedItem[]>>;
  /** Deletes what was asked and answered; false if there is none of that id. */
  delete(id: string, projectId: string): Promise<boolean>;
  /**
   * Returns whether what a project asks for is kept whole, so that it can be stored; absent where that is so for every
   * project.
   */
  keeps?(projectId: string): boolean;
}
