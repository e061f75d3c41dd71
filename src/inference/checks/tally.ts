import type { FailedCheck } from "../../hub/failed-checks.ts";
import type { AnswerVerdict } from "../ports.ts";
import type { TextJudgement } from "./check-thread.ts";

/**
 * The failures that another answer of the same model may well avoid. An answer that was cut or refuses is not checked
 * for these.
 */
const RETRYABLE: ReadonlySet<FailedCheck> = new Set([
  ...(["invalid_json", "schema_mismatch"] as const),
  ...(["unknown_tool", "invalid_arguments", "arguments_mismatch"] as const),
  ...(["pattern_mismatch", "webhook_rejected"] as const),
]);

/** The failed checks for a text that is no JSON, and for one of another form. */
export type JudgedChecks = Readonly<Record<"invalid" | "mismatch", FailedCheck>>;

/** Counts what was passed, and lists what was not. */
export class Tally {
  readonly #failed = new Set<FailedCheck>();
  #passed = 0;
  #isComplete = true;
  #isProven = false;

  count(isPassed: boolean, check: FailedCheck): void {
    if (isPassed) this.#passed += 1;
    else this.#failed.add(check);
  }

  /** JSON that has another form has passed one check of two. */
  judged(judgement: TextJudgement | undefined, checks: JudgedChecks): void {
    if (judgement === undefined) this.#isComplete = false;
    else {
      this.count(judgement !== "invalid", checks.invalid);
      if (judgement !== "invalid") this.count(judgement === "fits", checks.mismatch);
      this.#isProven ||= judgement === "fits";
    }
  }

  get verdict(): AnswerVerdict {
    const failed = [...this.#failed];
    return {
      failed,
      passed: this.#passed,
      isComplete: this.#isComplete,
      isProven: this.#isProven && failed.length === 0,
      isRetryable: failed.some((check) => RETRYABLE.has(check)),
    };
  }
}
