import { createJudgeCounts, createTwoJudges, type JudgeRates, judgeRates } from "./judge-record.ts";
import { type JudgeScale, measureJudge, measureTwo } from "./judge-scale.ts";

/** The scale of grades, and the rewards that one counts as; 0 while who gives them has not proved itself. */
export interface GradeScale {
  readonly scale: JudgeScale;
  readonly rates: JudgeRates;
  readonly weight: number;
  /** The part of a grade that is the first judge's. */
  readonly part: number;
  /** The variance, from model to model, of what the grades favor it by. */
  readonly favorVariance: number;
}

/**
 * What people's rewards and a judge's grades say together. A grade becomes a reward on the scale of people's, and
 * counts as its weight of one; what the judge favours a model by is estimated from answers with both.
 */
export class Evidence {
  /** Grades of the first judge alone, and those of both together. */
  alone: GradeScale;
  both: GradeScale;
  /** The second judge by itself, and its rates, by the answers that both have graded. */
  second: JudgeScale;
  secondRates: JudgeRates;
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
    const rates = judgeRates(createJudgeCounts(), false);
    const scale = measureJudge(createJudgeCounts(), rates, { isComplaintsOnly: false });
    this.alone = { scale, rates, weight: 0, part: 1, favorVariance: 0 };
    this.both = { ...measureTwo(createTwoJudges(), false, () => []), weight: 0, favorVariance: 0 };
    this.second = scale;
    this.secondRates = rates;
    this.counts = new Float64Array(arms);
    this.gradedCounts = new Float64Array(arms);
    this.advantages = new Float64Array(arms);
    this.biases = new Float64Array(arms);
    this.biasVariances = new Float64Array(arms);
    this.means = new Float64Array(arms);
    this.effects = new Float64Array(arms);
    this.effectVariances = new Float64Array(arms);
  }

  /** The grades that say most: those of both judges once they count together, or while they promise more. */
  get leading(): GradeScale {
    const { alone, both } = this;
    const isPromised = alone.weight === 0 && both.scale.answers > 0 && both.scale.high > alone.scale.high;
    return both.weight > 0 || isPromised ? both : alone;
  }

  /** Rewards that a grade counts as; 0 while no judge has proved itself. */
  get gradeWeight(): number {
    return Math.max(this.alone.weight, this.both.weight);
  }

  get scale(): JudgeScale {
    return this.leading.scale;
  }
}
