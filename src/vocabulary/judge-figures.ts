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
  /** The second judge, by the answers that both have graded; null where it graded none. */
  readonly second: SecondJudgeFigures | null;
}

/** The record of a second judge. */
export interface SecondJudgeFigures extends Omit<JudgeFigures, "weight" | "second"> {
  /** Rewards that a grade of both judges together counts as; 0 while they have not proved themselves. */
  readonly weightTogether: number;
  /** The part of that grade that is the second judge's. */
  readonly part: number;
}

/** Answers of either sign below which rates say nothing. */
const LEAST_ANSWERS = 5;

/** Describes a judge: its rates with their interval, and what follows; or by how few answers it is known. */
export function describeJudge(figures: JudgeFigures | null): string {
  return describeRates(figures, ({ weight }) =>
    weight > 0
      ? `a grade counts as ${weight.toFixed(2)} of a reward`
      : "grades do not count until the lower end is above 0.1",
  );
}

/** Describes a second judge likewise: what its grades add to those of the first. */
export function describeSecondJudge(figures: SecondJudgeFigures | null): string {
  return describeRates(figures, ({ weightTogether, part }) => {
    if (weightTogether === 0) return "grades do not count until the lower end is above 0.1";
    if (part === 0) return "it has not proved itself alongside the first one, so its grades do not count";
    return `a grade of both counts as ${weightTogether.toFixed(2)} of a reward, ${Math.round(100 * part)}% of it by this judge`;
  });
}

type Rates = Omit<JudgeFigures, "weight" | "second">;

function describeRates<Figures extends Rates>(figures: Figures | null, follow: (figures: Figures) => string): string {
  const { liked = 0, disliked = 0, silent = 0 } = figures ?? {};
  const answers = Math.round(liked + disliked);
  const seen = `${answers} graded ${answers === 1 ? "answer" : "answers"} with feedback`;
  const parts = `${Math.round(liked)} liked, ${Math.round(disliked)} disliked`;
  if (figures === null || liked + silent < LEAST_ANSWERS || disliked < LEAST_ANSWERS) {
    return `not yet known: ${seen}${answers === 0 ? "" : ` (${parts})`}`;
  }
  const { truePositive, falsePositive, low, high } = figures;
  const [tpr, fpr] = [truePositive.toFixed(2), falsePositive.toFixed(2)];
  const difference = `${((low + high) / 2).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  const quiet = silent === 0 ? "" : `, and ${Math.round(silent)} without that count as liked`;
  return `TPR ${tpr}, FPR ${fpr}, difference ${difference}, by ${seen} (${parts})${quiet}; ${follow(figures)}`;
}

/** Verdicts on an answer, of the judge, of the second one and of a person; absent or null where there is none. */
interface Verdicts {
  readonly judge?: boolean | null | undefined;
  readonly secondJudge?: boolean | null | undefined;
  readonly person?: boolean | null | undefined;
}

/** Describes verdicts on an answer: "judge: good, person: bad". */
export function describeVerdicts({ judge, secondJudge, person }: Verdicts): string {
  const verdicts = [
    ["judge", judge],
    ["second judge", secondJudge],
    ["person", person],
  ] as const;
  return verdicts.flatMap(([who, isGood]) => (isGood == null ? [] : [`${who}: ${isGood ? "good" : "bad"}`])).join(", ");
}
