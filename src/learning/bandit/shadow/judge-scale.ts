import {
  type Graded,
  type JudgeCounts,
  type JudgeRates,
  judgeRates,
  mixJudges,
  type TwoJudges,
} from "./judge-record.ts";

/**
 * A judge's grades on the scale of what people say: the regression of grades on rewards, with its error. Of thumbs its
 * slope is TPR - FPR.
 */
export interface JudgeScale {
  /** Answers with a grade and a reward, their mean reward, and their share of good grades. */
  readonly answers: number;
  readonly reward: number;
  readonly good: number;
  /** Reward by which a good grade says more than a bad one, drawn to nothing by the doubt about the slope. */
  readonly rewardPerGood: number;
  /** The variance that a grade has beside the reward, and that of the slope as a part of its square. */
  readonly noise: number;
  readonly slopeDoubt: number;
  /** The lower and the upper end of the slope: each is exceeded in 90%. */
  readonly low: number;
  readonly high: number;
  /** The sum of squares of rewards about their mean: how much people have said. */
  readonly information: number;
  readonly isProven: boolean;
}

/**
 * The quantile of the normal distribution that leaves 10% above, and what the lower end of the slope has to be above.
 */
const NINETY = 1.28;
const LEAST_SLOPE = 0.1;
/** Answers of either sign, or information of other rewards, that a judge has to be measured by. */
const LEAST_ANSWERS = 5;
const LEAST_INFORMATION = 1;
const LEAST_VARIANCE = 0.005;
const LEAST_NOISE = 0.09;
/** Rewards scatter less than this part of what those of 0 and 1 do if they are ratings. */
export const RATINGS = 0.5;

/** The grades that a judge is measured by. */
interface GradeShape {
  readonly isComplaintsOnly: boolean;
  /** The sum of squares of grades that are between good and bad; absent where each is one or the other. */
  readonly goodSquares?: number;
  /** The part of the least noise of one judge that the grades have. */
  readonly leastNoise?: number;
}

/** Measures a judge by what people said of the same answers; where they only complain, silent answers are praised. */
export function measureJudge(
  counts: JudgeCounts,
  rates: JudgeRates,
  { isComplaintsOnly, goodSquares, leastNoise = 1 }: GradeShape,
): JudgeScale {
  const silent = isComplaintsOnly ? counts.silent : 0;
  const silentGood = isComplaintsOnly ? counts.silentGood : 0;
  const praised = counts.praised + silent;
  const answers = praised + counts.rejected;
  const rewards = counts.rewardSum + silent;
  const goods = counts.praisedGood + counts.rejectedGood + silentGood;
  const information = answers === 0 ? 0 : Math.max(0, counts.rewardSquares + silent - rewards ** 2 / answers);
  const together = answers === 0 ? 0 : counts.goodRewardSum + silentGood - (rewards * goods) / answers;
  const reward = (rewards + 0.5) / (answers + 1);
  const good = (goods + 1) / (answers + 2);
  const variance = Math.max(LEAST_VARIANCE, (information + 0.1) / (answers + 1));
  const measured = together / (information + variance);
  const slope = isComplaintsOnly ? Math.max(measured, rates.truePositive - rates.falsePositive) : measured;
  const squares = goodSquares === undefined ? good : (goodSquares + 1) / (answers + 2);
  const noise = Math.max(leastNoise * LEAST_NOISE, squares - good ** 2 - slope ** 2 * variance);
  const slopeVariance = noise / (information + variance);
  const reach = NINETY * Math.sqrt(slopeVariance);
  const hasEnough =
    variance > RATINGS * reward * (1 - reward)
      ? praised >= LEAST_ANSWERS && counts.rejected >= LEAST_ANSWERS
      : information >= LEAST_INFORMATION;
  return {
    answers,
    reward,
    good,
    rewardPerGood: slope / (slope ** 2 + slopeVariance),
    noise,
    slopeDoubt: slopeVariance / slope ** 2,
    low: slope - reach,
    high: slope + reach,
    information,
    isProven: slope - reach > LEAST_SLOPE && hasEnough,
  };
}

/** Two judges as one, whose grade is a part of the first one's and the rest of the second one's. */
interface TwoJudgeScale {
  readonly part: number;
  readonly scale: JudgeScale;
  readonly rates: JudgeRates;
  /** The second one by itself. */
  readonly second: JudgeScale;
  readonly secondRates: JudgeRates;
}

/**
 * Measures two judges by the answers that both have graded. Each has a part by its slope; one that is not proven beside
 * one that is has none.
 */
export function measureTwo(
  two: TwoJudges,
  isComplaintsOnly: boolean,
  gradedBy: (part: number) => readonly Graded[],
): TwoJudgeScale {
  const measure = (counts: JudgeCounts): JudgeScale =>
    measureJudge(counts, judgeRates(counts, isComplaintsOnly), { isComplaintsOnly });
  const second = measure(two.second);
  const part = partOfFirst(measure(two.first), second);
  const counts = mixJudges(two, part);
  const rates = judgeRates(counts, isComplaintsOnly, gradedBy(part));
  const goodsOf = ({ praisedGood, rejectedGood, silentGood }: JudgeCounts): number =>
    praisedGood + rejectedGood + (isComplaintsOnly ? silentGood : 0);
  const squares = part ** 2 * goodsOf(two.first) + (1 - part) ** 2 * goodsOf(two.second);
  const goodSquares = squares + 2 * part * (1 - part) * goodsOf(two.agreed);
  const leastNoise = independentPart(part);
  const scale = measureJudge(counts, rates, { isComplaintsOnly, goodSquares, leastNoise });
  return { part, rates, scale, second, secondRates: judgeRates(two.second, isComplaintsOnly) };
}

/** Returns the part of the variance of one judge that two have whose errors are independent. */
export function independentPart(part: number): number {
  return part ** 2 + (1 - part) ** 2;
}

function partOfFirst(first: JudgeScale, second: JudgeScale): number {
  if (first.isProven !== second.isProven) return first.isProven ? 1 : 0;
  const [ofFirst, ofSecond] = [Math.max(0, first.low + first.high), Math.max(0, second.low + second.high)];
  return ofFirst + ofSecond === 0 ? 0.5 : ofFirst / (ofFirst + ofSecond);
}
