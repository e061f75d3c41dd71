import { grown } from "./grown.ts";

/**
 * The estimated gain of serving other models than base in a metric, with its variance, matched by family: in each
 * family the values of the others are held against the mean of base there, so that a family that is easy for everyone
 * gains nobody anything.
 */
export class RegretBudget {
  /** Per family: observations of others than base, and their sum. */
  counts: Float64Array;
  sums: Float64Array;
  /** Per family: estimated gain against base, and its variance. */
  gains: Float64Array;
  variances: Float64Array;
  /** Over all families. */
  gain = 0;
  variance = 0;

  constructor(families: number) {
    this.counts = new Float64Array(families);
    this.sums = new Float64Array(families);
    this.gains = new Float64Array(families);
    this.variances = new Float64Array(families);
  }

  grow(families: number): void {
    this.counts = grown(this.counts, families);
    this.sums = grown(this.sums, families);
    this.gains = grown(this.gains, families);
    this.variances = grown(this.variances, families);
  }

  /** Counts observations of others than base. `settle` has to follow. */
  add(family: number, count: number, sum: number): void {
    this.counts[family] = (this.counts[family] ?? 0) + count;
    this.sums[family] = (this.sums[family] ?? 0) + sum;
  }

  /** Estimates a family anew. `baseWeight` is the number of observations that `baseMean` rests on. */
  settle(family: number, baseMean: number, baseWeight: number, leastVariance: number): void {
    const count = this.counts[family] ?? 0;
    const gain = (this.sums[family] ?? 0) - count * baseMean;
    const spread = Math.max(baseMean * (1 - baseMean), leastVariance);
    const variance = count === 0 ? 0 : spread * (count + (count * count) / baseWeight);
    this.gain += gain - (this.gains[family] ?? 0);
    this.variance += variance - (this.variances[family] ?? 0);
    this.gains[family] = gain;
    this.variances[family] = variance;
  }

  /** The loss that has to be reckoned with: the estimate, and `doubt` standard deviations more. */
  pessimisticLoss(doubt: number): number {
    return doubt * Math.sqrt(Math.max(0, this.variance)) - this.gain;
  }

  /** Believes only a part of all that it holds. */
  fade(kept: number): void {
    for (const values of [this.counts, this.sums, this.gains, this.variances]) {
      for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * kept;
    }
    this.gain *= kept;
    this.variance *= kept;
  }

  /** Moves what a family holds into another, and empties it. */
  merge(from: number, into: number): void {
    for (const values of [this.counts, this.sums, this.gains, this.variances]) {
      values[into] = (values[into] ?? 0) + (values[from] ?? 0);
      values[from] = 0;
    }
  }
}
