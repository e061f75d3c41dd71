import { fadeFigures } from "./fade-figures.ts";
import { grown } from "./grown.ts";

/** The estimate of base in a family: its mean, the observations behind it, and the variance of a single reward. */
interface BaseEstimate {
  readonly mean: number;
  readonly weight: number;
  readonly spread: number;
}

/**
 * The account of the optimised metric: what rewards of others than base came to, against what base is believed to earn
 * in the same families, so that a family that is easy for everyone gains nobody anything. It adds up what was earned,
 * and not what is estimated of it: who is served more for having been lucky cannot count that luck twice.
 */
export class RewardAccount {
  readonly #arms: number;
  /** Per family and arm: rewards of others than base. */
  counts: Float64Array;
  /**
   * Per family: base's mean and the variance of a reward, as last estimated, and the variance that doubt about the mean
   * makes.
   */
  baseMeans: Float64Array;
  spreads: Float64Array;
  baseVariances: Float64Array;
  /** Per arm: rewards and their sum, what base would have had for them, and the sum of their variances. */
  readonly armCounts: Float64Array;
  readonly armSums: Float64Array;
  readonly armBaseSums: Float64Array;
  readonly armVariances: Float64Array;
  /** Variance that doubt about base's means makes, over all families. */
  baseVariance = 0;

  constructor(families: number, arms: number) {
    this.#arms = arms;
    this.counts = new Float64Array(families * arms);
    this.baseMeans = new Float64Array(families);
    this.spreads = new Float64Array(families);
    this.baseVariances = new Float64Array(families);
    this.armCounts = new Float64Array(arms);
    this.armSums = new Float64Array(arms);
    this.armBaseSums = new Float64Array(arms);
    this.armVariances = new Float64Array(arms);
  }

  grow(families: number): void {
    this.counts = grown(this.counts, families * this.#arms);
    this.baseMeans = grown(this.baseMeans, families);
    this.spreads = grown(this.spreads, families);
    this.baseVariances = grown(this.baseVariances, families);
  }

  /** Counts the reward of an arm other than base as `weight` of one. `settle` has to follow. */
  add(family: number, arm: number, reward: number, weight: number): void {
    const cell = family * this.#arms + arm;
    this.counts[cell] = (this.counts[cell] ?? 0) + weight;
    this.armCounts[arm] = (this.armCounts[arm] ?? 0) + weight;
    this.armSums[arm] = (this.armSums[arm] ?? 0) + weight * reward;
    this.armBaseSums[arm] = (this.armBaseSums[arm] ?? 0) + weight * (this.baseMeans[family] ?? 0);
    this.armVariances[arm] = (this.armVariances[arm] ?? 0) + weight * (this.spreads[family] ?? 0);
  }

  /** Holds the rewards of a family against what is believed of base there now. */
  settle(family: number, { mean, weight, spread }: BaseEstimate): void {
    const count = this.#move(family, mean - (this.baseMeans[family] ?? 0), spread - (this.spreads[family] ?? 0));
    this.baseMeans[family] = mean;
    this.spreads[family] = spread;
    const variance = (spread * count * count) / weight;
    this.baseVariance += variance - (this.baseVariances[family] ?? 0);
    this.baseVariances[family] = variance;
  }

  /** Believes only a part of all that it holds. */
  fade(kept: number): void {
    const { counts, baseVariances, armCounts, armSums, armBaseSums, armVariances } = this;
    fadeFigures([counts, baseVariances, armCounts, armSums, armBaseSums, armVariances], kept);
    this.baseVariance *= kept;
  }

  /** Moves what a family holds into another, and empties it; rewards stay held against what base had for them there. */
  merge(from: number, into: number): void {
    const [moved, before] = [this.#countIn(from), this.#countIn(into)];
    for (const values of [this.baseMeans, this.spreads]) {
      const [own, other] = [values[into] ?? 0, values[from] ?? 0];
      values[into] = before === 0 ? other : (before * own + moved * other) / (before + moved);
    }
    for (let arm = 0; arm < this.#arms; arm++) {
      const [source, target] = [from * this.#arms + arm, into * this.#arms + arm];
      this.counts[target] = (this.counts[target] ?? 0) + (this.counts[source] ?? 0);
      this.counts[source] = 0;
    }
    this.baseVariances[into] = (this.baseVariances[into] ?? 0) + (this.baseVariances[from] ?? 0);
    for (const values of [this.baseMeans, this.spreads, this.baseVariances]) values[from] = 0;
  }

  #countIn(family: number): number {
    let all = 0;
    for (let arm = 0; arm < this.#arms; arm++) all += this.counts[family * this.#arms + arm] ?? 0;
    return all;
  }

  /** Changes what is believed of base for all rewards of a family; returns how many these are. */
  #move(family: number, byMean: number, bySpread: number): number {
    let all = 0;
    for (let arm = 0; arm < this.#arms; arm++) {
      const count = this.counts[family * this.#arms + arm] ?? 0;
      this.armBaseSums[arm] = (this.armBaseSums[arm] ?? 0) + count * byMean;
      this.armVariances[arm] = (this.armVariances[arm] ?? 0) + count * bySpread;
      all += count;
    }
    return all;
  }
}
