import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { FailedCheck } from "../../hub/failed-checks.ts";

/** Checks a finished answer; `signal` aborts where nobody wants to know any more. Never rejects. */
export type CheckAnswer = (answer: GenerateResponse, signal: AbortSignal) => Promise<AnswerVerdict>;

/** What checks of an answer have found. */
export interface AnswerVerdict {
  /** What is wrong with it. */
  readonly failed: readonly FailedCheck[];
  /** How many checks it has passed. */
  readonly passed: number;
  /** Whether all that should be judged was: schemas may be too large, or take too long. */
  readonly isComplete: boolean;
  /** Whether a machine has found the form right that was asked for: its JSON, the arguments of its calls, or its pattern. */
  readonly isProven: boolean;
  /** Whether another answer of the same model may well do better. */
  readonly isRetryable: boolean;
}
