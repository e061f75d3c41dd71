import { InferenceError } from "../hub/error.ts";
import { nanosToUsd } from "../vocabulary/money.ts";

const HEADER = "'attune-max-usd' (over RPC 'max_cost_nanos')";

/** The attempts that ask for room together. */
interface CeilingRequest {
  /** The most that one of them may cost; undefined for a model without a price. */
  readonly nanos: number | undefined;
  readonly model: string;
  readonly attempts: number;
}

/** Throws INVALID_REQUEST for a call with parts that have no price, or no bound. */
export function checkBounded(gaps: readonly string[]): void {
  if (gaps.length === 0) return;
  const message =
    `nobody can say how much the call may cost, which ${HEADER} needs: it sets no bound on ${gaps.join(", ")}, ` +
    "or they have no price; set one ('max_uses'), or leave them out";
  throw InferenceError.invalid("", message);
}

/** The most that one call may cost: what its attempts have cost, and what those under way may cost at most. */
export class CallCeiling {
  readonly #nanos: number;
  #used = 0;

  constructor(nanos: number) {
    this.#nanos = nanos;
  }

  /**
   * Takes room for one attempt where there is room for all that are asked for, and returns a function that puts what
   * it has cost in the place of that. Throws INVALID_REQUEST.
   */
  reserve({ nanos, model, attempts }: CeilingRequest): (costNanos: number) => void {
    if (nanos === undefined) {
      throw InferenceError.invalid(
        "",
        `the model '${model}' has no price, which ${HEADER} needs: leave it out, or call another model`,
      );
    }
    const most = this.#used + nanos * attempts;
    if (most > this.#nanos) throw this.#exceeded(most);
    this.#used += nanos;
    let isSettled = false;
    return (costNanos) => {
      if (isSettled) return;
      isSettled = true;
      this.#used += costNanos - nanos;
    };
  }

  #exceeded(most: number): InferenceError {
    const [cost, ceiling] = [most, this.#nanos].map(nanosToUsd);
    return InferenceError.invalid(
      "",
      `the call may cost ${cost} USD, and ${HEADER} allows ${ceiling} USD: lower its output limit, shorten its ` +
        "prompt, or raise the ceiling",
    );
  }
}
