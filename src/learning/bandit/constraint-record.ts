/** An operator's bound on the mean of a metric's values, as they were sent; booleans are 0 and 1. */
export interface Constraint {
  readonly metric: string;
  readonly relation: "atLeast" | "atMost";
  readonly bound: number;
}

/** Values of an arm from which on it can be said to break a constraint. */
const LEAST_VALUES = 10;
/** By how many standard errors its mean has to be beyond the bound. */
const DOUBT = 2;
/** Greater values count as this, so that squares stay numbers. */
const GREATEST = 1e100;

function boundedValue(value: number): number {
  return Math.min(GREATEST, Math.max(-GREATEST, value));
}

/** The values of a metric by arm, and whether they break a constraint on it. */
export class ConstraintRecord {
  readonly constraint: Constraint;
  /** Per arm: number of values, their mean, and the sum of squares of what they were beside it. */
  readonly counts: Float64Array;
  readonly means: Float64Array;
  readonly squares: Float64Array;

  constructor(constraint: Constraint, arms: number) {
    this.constraint = constraint;
    this.counts = new Float64Array(arms);
    this.means = new Float64Array(arms);
    this.squares = new Float64Array(arms);
  }

  /** Counts a finite value as so much of one (Welford's recurrence: no sum grows beyond what its digits can hold). */
  add(arm: number, value: number, weight = 1): void {
    const bounded = boundedValue(value);
    const count = (this.counts[arm] ?? 0) + weight;
    const before = bounded - (this.means[arm] ?? 0);
    const mean = (this.means[arm] ?? 0) + (weight * before) / count;
    this.counts[arm] = count;
    this.means[arm] = mean;
    this.squares[arm] = (this.squares[arm] ?? 0) + weight * before * (bounded - mean);
  }

  /** Takes a value off again, as far as it was not forgotten since. */
  remove(arm: number, value: number, weight = 1): void {
    const counted = this.counts[arm] ?? 0;
    const count = counted - Math.min(weight, counted);
    if (count <= 0) {
      for (const values of [this.counts, this.means, this.squares]) values[arm] = 0;
      return;
    }
    const bounded = boundedValue(value);
    const mean = this.means[arm] ?? 0;
    const before = mean + ((mean - bounded) * (counted - count)) / count;
    this.counts[arm] = count;
    this.means[arm] = before;
    this.squares[arm] = Math.max(
      0,
      (this.squares[arm] ?? 0) - (counted - count) * (bounded - before) * (bounded - mean),
    );
  }

  /** Returns whether an arm is known to break it: its mean is beyond the bound by more than chance would have it. */
  isBroken(arm: number): boolean {
    const count = this.counts[arm] ?? 0;
    if (count < LEAST_VALUES) return false;
    const { relation, bound } = this.constraint;
    const beyond = relation === "atLeast" ? bound - (this.means[arm] ?? 0) : (this.means[arm] ?? 0) - bound;
    const error = Math.sqrt(Math.max(0, this.squares[arm] ?? 0) / (count - 1) / count);
    return beyond > DOUBT * error;
  }

  /** Believes only a part of what it knows of an arm. */
  fade(arm: number, kept: number): void {
    this.counts[arm] = (this.counts[arm] ?? 0) * kept;
    this.squares[arm] = (this.squares[arm] ?? 0) * kept;
  }
}
