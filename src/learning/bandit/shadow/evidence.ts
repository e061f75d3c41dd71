import { createJudgeCounts, type JudgeRates, judgeRates } from "./judge-record.ts";
import { type JudgeScale, measureJudge } from "./judge-scale.ts";

/**
 * What people's rewards and a judge's grades say together. A grade becomes a reward on the scale of people's, and
 * counts as its weight of one; what the judge favours a model by is estimated from answers with both.
 */
export class Evidence {
  rates: JudgeRates;
  scale: JudgeScale;
  /** Rewards that a grade counts as; 0 while the judge has not proved itself. */
  gradeWeight = 0;
  /** The variance of a reward of people's, and whether it is as small as that of ratings. */
  rewardVariance = 0.25;
  areRatings = false;
  /** Per arm: observations, the part of them that grades are, the advantage over the level of a family. */
  readonly counts: Float64Array;
  readonly gradedCounts: Float64Array;
  readonly advantages: Float64Array;
  /** Per arm: what grades are above people's rewards, and the variance of that. */
  readonly biases: Float64Array;
  readonly biasVariances: Float64Array;
  /**
   * Per arm while grades count: the mean of its observations above the levels of their families; the advantage that
   * follows, with all doubts, and its variance.
   */
  readonly means: Float64Array;
  readonly effects: Float64Array;
  readonly effectVariances: Float64Array;
  /** Per family that was seen when it was settled: its level. */
  levels = new Float64Array();
  pooledBaseMean = 0.5;
  /** Events since it was weighed. */
  events = 0;

  constructor(arms: number) {
    this.rates = judgeRates(createJudgeCounts(), false);
    this.scale = measureJudge(createJudgeCounts(), this.rates, false);
    this.counts = new Float64Array(arms);
    this.gradedCounts = new Float64Array(arms);
    this.advantages = new Float64Array(arms);
    this.biases = new Float64Array(arms);
    this.biasVariances = new Float64Array(arms);
    this.means = new Float64Array(arms);
    this.effects = new Float64Array(arms);
    this.effectVariances = new Float64Array(arms);
  }
}
