/** The terms of an EarnedBudget. */
interface BudgetTerms {
  /** The amount earned in a period, evenly over it. */
  readonly earned: number;
  readonly periodMs: number;
  /** The most that may be saved up, which is there at the start. */
  readonly most: number;
  /** A steady clock in milliseconds. */
  readonly now: () => number;
}

/** A budget that grows with time, up to what may be saved up. */
export class EarnedBudget {
  readonly #terms: BudgetTerms;
  #left: number;
  #atMs: number;

  constructor(terms: BudgetTerms) {
    this.#terms = terms;
    this.#left = terms.most;
    this.#atMs = terms.now();
  }

  /** Returns the amount that may be spent now; 0 or less if none. */
  get left(): number {
    const { earned, periodMs, most, now } = this.#terms;
    const nowMs = now();
    this.#left = Math.min(most, this.#left + ((nowMs - this.#atMs) / periodMs) * earned);
    this.#atMs = nowMs;
    return this.#left;
  }

  /** Takes an amount out, if there is so much. */
  take(amount: number): boolean {
    if (this.left < amount) return false;
    this.spend(amount);
    return true;
  }

  /** Takes an amount out whose size was not known before; what is missing has to be earned first. */
  spend(amount: number): void {
    this.#left -= amount;
  }
}
