import { CommonShift } from "./common-shift.ts";
import { fadeFigures } from "./fade-figures.ts";
import { grown } from "./grown.ts";
import { mergeFamily } from "./merge-family.ts";
import { allowedRegret, type ObjectiveSettings, type PolicySettings } from "./settings.ts";

/** Observations of base in all families that its mean in one family is drawn to. */
const POOLED_WEIGHT = 12;
/** Least variance: complaints and errors are rare. */
const LEAST_VARIANCE = 0.02;
/** Loss that one more reward may bring. */
const MARGIN = 0.5;

/** The strictness of an objective with a margin, which its complaints have too. */
type Strictness = Pick<ObjectiveSettings, "doubt" | "budget">;

/**
 * The account of a metric that is guarded and not optimised: complaints per request, errors, a secondary metric. Values
 * are from 0 to 1, and more is better. What is counted and what is summed come apart, since a complaint arrives after
 * the request that counts.
 */
export class MetricAccount {
  readonly account: RegretBudget;
  /** Undefined for complaints: they arrive late, so that those learned at a time are not of answers of one time. */
  readonly shift: CommonShift | undefined;
  /**
   * By how much each observation of others than base may be worse: without a margin, an account of what is alike closes
   * too.
   */
  readonly #allowance: number;
  baseCounts: Float64Array;
  baseSums: Float64Array;
  /** Of base in all families, and the observations of all arms. */
  pooledCount = 0;
  pooledSum = 0;
  observations = 0;
  /** Observations of others that were kept at a change, and base's mean at that time. */
  keptCount = 0;
  keptMean = 0;

  constructor(families: number, allowance?: number) {
    this.#allowance = allowance ?? 0;
    this.shift = allowance === undefined ? undefined : new CommonShift();
    this.account = new RegretBudget(families);
    this.baseCounts = new Float64Array(families);
    this.baseSums = new Float64Array(families);
  }

  grow(families: number): void {
    this.account.grow(families);
    this.baseCounts = grown(this.baseCounts, families);
    this.baseSums = grown(this.baseSums, families);
  }

  /** Adds `count` observations whose values make `sum`. */
  add(family: number, isBase: boolean, count: number, sum: number): void {
    this.observations += count;
    if (this.shift !== undefined) {
      const mean = this.#estimateBase(family).mean - this.shift.meanMovedBy(this.pooledCount);
      this.shift.add(isBase, count, sum - count * mean, this.#variance);
    }
    if (isBase) {
      this.baseCounts[family] = (this.baseCounts[family] ?? 0) + count;
      this.baseSums[family] = (this.baseSums[family] ?? 0) + sum;
      this.pooledCount += count;
      this.pooledSum += sum;
    } else {
      this.account.add(family, count, sum);
    }
    this.settle(family);
  }

  /** Takes observations of a mean off again, as far as they were not forgotten since. */
  remove(family: number, isBase: boolean, count: number, mean: number): void {
    const counted = (isBase ? this.baseCounts : this.account.counts)[family] ?? 0;
    const removed = Math.min(count, counted);
    this.add(family, isBase, -removed, -removed * mean);
  }

  settle(family: number): void {
    const { mean, weight } = this.#estimateBase(family);
    this.account.settle(family, mean, weight, LEAST_VARIANCE);
  }

  get #pooledMean(): number {
    return (this.pooledSum + 0.5) / (this.pooledCount + 1);
  }

  get #variance(): number {
    return this.#pooledMean * (1 - this.#pooledMean);
  }

  #estimateBase(family: number): { readonly mean: number; readonly weight: number } {
    const weight = (this.baseCounts[family] ?? 0) + POOLED_WEIGHT;
    return { mean: ((this.baseSums[family] ?? 0) + POOLED_WEIGHT * this.#pooledMean) / weight, weight };
  }

  /** Returns whether the loss that has to be reckoned with is within the budget; the objective may have its own. */
  hasRoom(settings: PolicySettings, own?: Strictness): boolean {
    return this.lossOf(settings, own) <= this.budgetOf(own);
  }

  /** The loss that has to be reckoned with, the next reward included. */
  lossOf({ accountDoubt }: PolicySettings, own?: Strictness): number {
    const shared = this.shift?.gainOf(this.observations - this.pooledCount, this.pooledCount) ?? 0;
    // Kept ones aren't held against a base that has become better since, which they may have too.
    const since = this.keptCount * Math.max(0, this.#pooledMean - this.keptMean);
    return this.account.pessimisticLoss(own?.doubt ?? accountDoubt) + shared - since + MARGIN;
  }

  /** Returns the regret allowed so far, by the objective's own budget if it has one. */
  budgetOf(own?: Strictness): number {
    return own === undefined ? this.budget : own.budget(this.observations);
  }

  /** Returns the regret allowed so far. */
  get budget(): number {
    return allowedRegret(this.observations) + this.#allowance * (this.observations - this.pooledCount);
  }

  fade(kept: number): void {
    this.keptCount = kept * (this.observations - this.pooledCount);
    this.keptMean = this.#pooledMean;
    this.account.fade(kept);
    this.shift?.fade(kept);
    fadeFigures([this.baseCounts, this.baseSums], kept);
    this.pooledCount *= kept;
    this.pooledSum *= kept;
    this.observations *= kept;
  }

  merge(from: number, into: number): void {
    this.account.merge(from, into);
    mergeFamily([this.baseCounts, this.baseSums], from, into);
    this.settle(into);
  }
}

/**
 * The estimated gain of serving other models than base in a metric, with its variance, matched by family: in each
 * family the values of the others are held against the mean of base there, so that a family that is easy for everyone
 * gains nobody anything.
 */
class RegretBudget {
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
    fadeFigures([this.counts, this.sums, this.gains, this.variances], kept);
    this.gain *= kept;
    this.variance *= kept;
  }

  /** Moves what a family holds into another, and empties it. */
  merge(from: number, into: number): void {
    mergeFamily([this.counts, this.sums, this.gains, this.variances], from, into);
  }
}
