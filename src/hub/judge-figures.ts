/** The record of the judge of a workload's shadow trials, by what people said of the same answers. */
export interface JudgeFigures {
  /** Graded answers that people liked, and disliked; silent ones count as liked while people only complain. */
  readonly liked: number;
  readonly disliked: number;
  readonly silent: number;
  /** The share of good grades among liked answers, and among disliked ones. */
  readonly truePositive: number;
  readonly falsePositive: number;
  /**
   * The interval of what a liked answer's grade is above a disliked one's, by the regression of grades on rewards: each
   * end is exceeded in 90%. Of ratings that is more than the difference of the two shares.
   */
  readonly low: number;
  readonly high: number;
  /** Rewards that a grade counts as; 0 while the judge has not proved itself. */
  readonly weight: number;
}

/** Answers of either sign below which rates say nothing. */
const LEAST_ANSWERS = 5;

/** Describes a judge: its rates with their interval, and what follows; or by how few answers it is known. */
export function describeJudge(figures: JudgeFigures | null): string {
  const { liked = 0, disliked = 0, silent = 0 } = figures ?? {};
  const answers = Math.round(liked + disliked);
  const seen = `${answers} graded ${answers === 1 ? "answer" : "answers"} with feedback`;
  const parts = `${Math.round(liked)} liked, ${Math.round(disliked)} disliked`;
  if (figures === null || liked + silent < LEAST_ANSWERS || disliked < LEAST_ANSWERS) {
    return `not yet known: ${seen}${answers === 0 ? "" : ` (${parts})`}`;
  }
  const { truePositive, falsePositive, low, high, weight } = figures;
  const [tpr, fpr] = [truePositive.toFixed(2), falsePositive.toFixed(2)];
  const difference = `${((low + high) / 2).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  const follows =
    weight > 0
      ? `a grade counts as ${weight.toFixed(2)} of a reward`
      : "grades do not count until the lower end is above 0.1";
  const quiet = silent === 0 ? "" : `, and ${Math.round(silent)} without that count as liked`;
  return `TPR ${tpr}, FPR ${fpr}, difference ${difference}, by ${seen} (${parts})${quiet}; ${follows}`;
}
