import type { JudgeRates } from "./judge-record.ts";

/**
 * What people's rewards and a judge's grades say together. A grade becomes an unbiased reward by the judge's rates,
 * and counts as its weight of one; what the judge favours a model by is estimated from answers with both.
 */
export class Evidence {
  rates: JudgeRates;
  /** Per arm: observations, the part of them that grades are, the advantage over the level of a family. */
  readonly counts: Float64Array;
  readonly gradedCounts: Float64Array;
  readonly advantages: Float64Array;
  /** Per arm: what grades are above people's rewards, and the variance of that. */
  readonly biases: Float64Array;
  readonly biasVariances: Float64Array;
  /** Per family that was seen when it was settled: its level. */
  levels = new Float64Array();
  pooledBaseMean = 0.5;
  /** Events since it was weighed. */
  events = 0;

  constructor(arms: number) {
    this.rates = { truePositive: 0.5, falsePositive: 0.5, low: -1, high: 1, weight: 0 };
    this.counts = new Float64Array(arms);
    this.gradedCounts = new Float64Array(arms);
    this.advantages = new Float64Array(arms);
    this.biases = new Float64Array(arms);
    this.biasVariances = new Float64Array(arms);
  }
}
