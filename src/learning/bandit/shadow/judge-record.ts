/** Answers that people judged, of either sign, and those of them that the judge graded good. */
export interface JudgeCounts {
  /** Answers that people were content with, and the good grades among them. */
  praised: number;
  praisedGood: number;
  /** Answers that people complained of, and the good grades among them. */
  rejected: number;
  rejectedGood: number;
  /** Silent answers, which count as praised while people only complain, and the good grades among them. */
  silent: number;
  silentGood: number;
  /** Of the answers that people judged: the sum of rewards, that of their squares, and that of those graded good. */
  rewardSum: number;
  rewardSquares: number;
  goodRewardSum: number;
}

/** A judge's grade of an answer, and that of a second one where it was asked. */
export interface AnswerGrade {
  readonly isGood: boolean;
  readonly isSecondGood?: boolean | undefined;
}

/** The record of two judges on the answers that both have graded, and that of a judge who says good where both do. */
export interface TwoJudges {
  readonly first: JudgeCounts;
  readonly second: JudgeCounts;
  readonly agreed: JudgeCounts;
}

export function createTwoJudges(): TwoJudges {
  return { first: createJudgeCounts(), second: createJudgeCounts(), agreed: createJudgeCounts() };
}

/** Returns the record of a judge whose grade is a part of the first one's and the rest of the second one's. */
export function mixJudges({ first, second }: TwoJudges, part: number): JudgeCounts {
  const mixed = createJudgeCounts();
  for (const name of Object.keys(mixed) as (keyof JudgeCounts)[]) {
    mixed[name] = part * first[name] + (1 - part) * second[name];
  }
  return mixed;
}

/** Counts a grade of an answer that people gave a reward for, as `weight` of one; less than none takes it off. */
export function countChecked(record: JudgeCounts, isGood: boolean, { reward, weight }: WeightedReward): void {
  const isPraised = reward >= 0.5;
  const count = (name: keyof JudgeCounts, added: number): void => {
    record[name] = Math.max(0, record[name] + added);
  };
  count(isPraised ? "praised" : "rejected", weight);
  count("rewardSum", weight * reward);
  count("rewardSquares", weight * reward * reward);
  if (!isGood) return;
  count(isPraised ? "praisedGood" : "rejectedGood", weight);
  count("goodRewardSum", weight * reward);
}

/** A reward of people's, and what it counts for. */
export interface WeightedReward {
  readonly reward: number;
  readonly weight: number;
}

/** Counts a grade of an answer that people said nothing of. */
export function countSilent(record: JudgeCounts, isGood: boolean): void {
  record.silent += 1;
  if (isGood) record.silentGood += 1;
}

/** The share of good grades among praised answers (TPR) and among rejected ones (FPR). */
export interface JudgeRates {
  readonly truePositive: number;
  readonly falsePositive: number;
}

/** The quantile of the normal distribution that leaves 10% above. */
const NINETY = 1.28;

export function createJudgeCounts(): JudgeCounts {
  return {
    praised: 0,
    praisedGood: 0,
    rejected: 0,
    rejectedGood: 0,
    silent: 0,
    silentGood: 0,
    rewardSum: 0,
    rewardSquares: 0,
    goodRewardSum: 0,
  };
}

/** The graded answers of a model, and the good grades among them. */
export interface Graded {
  readonly count: number;
  readonly good: number;
}

/** The trials of one model by the grades of the first judge, and those of them that both judges have graded. */
export interface GradedAnswers extends Graded {
  readonly bothCount: number;
  readonly bothGood: number;
  readonly secondGood: number;
}

/**
 * Returns the rates of a judge by what people said of the same answers. Where people only complain, silent answers
 * stand for praised ones: some of them are bad, so TPR comes out too small. A model whose answers are graded good more
 * often than that shows by how much, so that rewards of grades are no larger than they are.
 */
export function judgeRates(counts: JudgeCounts, isComplaintsOnly: boolean, models: readonly Graded[] = []): JudgeRates {
  const praised = counts.praised + (isComplaintsOnly ? counts.silent : 0);
  const praisedGood = counts.praisedGood + (isComplaintsOnly ? counts.silentGood : 0);
  const truePositive = (praisedGood + 1) / (praised + 2);
  const falsePositive = (counts.rejectedGood + 1) / (counts.rejected + 2);
  return {
    truePositive: isComplaintsOnly ? Math.max(truePositive, ...models.map(leastShare)) : truePositive,
    falsePositive,
  };
}

/** Returns the share of good grades that a model's answers have at least, with a confidence of 90%. */
function leastShare({ count, good }: Graded): number {
  const share = (good + 1) / (count + 2);
  return share - NINETY * Math.sqrt((share * (1 - share)) / (count + 2));
}
