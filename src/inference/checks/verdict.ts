import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { FailedCheck } from "../../hub/failed-checks.ts";

/** Checks a finished answer; `signal` aborts where nobody wants to know any more. Never rejects. */
export type CheckAnswer = (answer: GenerateResponse, signal: AbortSignal) => Promise<AnswerVerdict>;

/** The verdict of checks on an answer. */
export interface AnswerVerdict {
  /** The failed checks. */
  readonly failed: readonly FailedCheck[];
  /** The number of passed checks. */
  readonly passed: number;
  /** True if all that should be judged was: schemas may be too large, or take too long. */
  readonly isComplete: boolean;
  /**
   * True if a machine has found the form right that was asked for: its JSON, the arguments of its calls, or its
   * pattern.
   */
  readonly isProven: boolean;
  /** True if another answer of the same model may well do better. */
  readonly isRetryable: boolean;
}
