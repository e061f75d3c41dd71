import { grown } from "../grown.ts";
import {
  type AnswerGrade,
  countChecked,
  countSilent,
  createJudgeCounts,
  createTwoJudges,
  type GradedAnswers,
  type JudgeCounts,
  type WeightedReward,
} from "./judge-record.ts";

/** Per arm: answers with a grade and feedback, the good grades of the first judge, and the sum of people's rewards. */
interface Pairs {
  readonly counts: Float64Array;
  readonly goods: Float64Array;
  readonly rewards: Float64Array;
}

/** Counts of grades and the good ones among them, which go together where a family is divided. */
const KINDS = [
  { counts: "counts", goods: ["goods"] },
  { counts: "bothCounts", goods: ["bothGoods", "secondGoods"] },
] as const;

/** Grades of answers by one judge or two: those of shadow trials, and those of answers that people judged as well. */
export class Grades {
  readonly #arms: number;
  /** Per family and arm: grades of shadow trials, and the good ones of the first judge among them. */
  counts: Float64Array;
  goods: Float64Array;
  /** Per family and arm: answers of trials that people of the project judged, and the sum of their verdicts. */
  verdictCounts: Float64Array;
  verdictSums: Float64Array;
  /** Per family and arm: those of the grades that both judges gave, and the good ones of the first and the second. */
  bothCounts: Float64Array;
  bothGoods: Float64Array;
  secondGoods: Float64Array;
  /** Answers that people judged, by whether the first judge graded them alone or both did. */
  readonly pairs: { readonly alone: Pairs; readonly both: Pairs };
  /** Per arm: the second judge's good grades among those of both. */
  readonly secondPairGoods: Float64Array;
  /** The first judge by all that it graded, and both by what both did. */
  readonly record: JudgeCounts = createJudgeCounts();
  readonly two = createTwoJudges();

  constructor(families: number, arms: number) {
    this.#arms = arms;
    this.counts = new Float64Array(families * arms);
    this.goods = new Float64Array(families * arms);
    this.verdictCounts = new Float64Array(families * arms);
    this.verdictSums = new Float64Array(families * arms);
    this.bothCounts = new Float64Array(families * arms);
    this.bothGoods = new Float64Array(families * arms);
    this.secondGoods = new Float64Array(families * arms);
    this.pairs = { alone: createPairs(arms), both: createPairs(arms) };
    this.secondPairGoods = new Float64Array(arms);
  }

  grow(families: number): void {
    this.counts = grown(this.counts, families * this.#arms);
    this.goods = grown(this.goods, families * this.#arms);
    this.verdictCounts = grown(this.verdictCounts, families * this.#arms);
    this.verdictSums = grown(this.verdictSums, families * this.#arms);
    this.bothCounts = grown(this.bothCounts, families * this.#arms);
    this.bothGoods = grown(this.bothGoods, families * this.#arms);
    this.secondGoods = grown(this.secondGoods, families * this.#arms);
  }

  /** Counts a grade of a shadow trial. */
  add(family: number, arm: number, { isGood, isSecondGood }: AnswerGrade): void {
    const cell = family * this.#arms + arm;
    addTo(this.counts, cell);
    if (isGood) addTo(this.goods, cell);
    if (isSecondGood === undefined) return;
    addTo(this.bothCounts, cell);
    if (isGood) addTo(this.bothGoods, cell);
    if (isSecondGood) addTo(this.secondGoods, cell);
  }

  /** Counts a verdict of people on a trial's answer. */
  addVerdict(family: number, arm: number, reward: number): void {
    const cell = family * this.#arms + arm;
    addTo(this.verdictCounts, cell);
    addTo(this.verdictSums, cell, reward);
  }

  /** Counts a grade of an answer that people gave a reward for. */
  addChecked(arm: number, { isGood, isSecondGood }: AnswerGrade, rated: WeightedReward): void {
    const { reward, weight } = rated;
    countChecked(this.record, isGood, rated);
    const { counts, goods, rewards } = isSecondGood === undefined ? this.pairs.alone : this.pairs.both;
    addTo(counts, arm, weight);
    addTo(goods, arm, weight * Number(isGood));
    addTo(rewards, arm, weight * reward);
    if (isSecondGood === undefined) return;
    addTo(this.secondPairGoods, arm, weight * Number(isSecondGood));
    const { first, second, agreed } = this.two;
    countChecked(first, isGood, rated);
    countChecked(second, isSecondGood, rated);
    countChecked(agreed, isGood && isSecondGood, rated);
  }

  /** Counts a grade of an answer that people said nothing of. */
  addSilent({ isGood, isSecondGood }: AnswerGrade): void {
    countSilent(this.record, isGood);
    if (isSecondGood === undefined) return;
    const { first, second, agreed } = this.two;
    countSilent(first, isGood);
    countSilent(second, isSecondGood);
    countSilent(agreed, isGood && isSecondGood);
  }

  /** Returns the trials of each arm, over all families. */
  byArm(): readonly GradedAnswers[] {
    return Array.from({ length: this.#arms }, (_, arm) => {
      const sumOf = (values: Float64Array): number => {
        let sum = 0;
        for (let cell = arm; cell < values.length; cell += this.#arms) sum += values[cell] ?? 0;
        return sum;
      };
      return {
        count: sumOf(this.counts),
        good: sumOf(this.goods),
        bothCount: sumOf(this.bothCounts),
        bothGood: sumOf(this.bothGoods),
        secondGood: sumOf(this.secondGoods),
      };
    });
  }

  /** Believes only a part of what is known of an arm. */
  fade(arm: number, kept: number): void {
    const { alone, both } = this.pairs;
    for (const values of [...Object.values(alone), ...Object.values(both), this.secondPairGoods]) {
      values[arm] = (values[arm] ?? 0) * kept;
    }
    for (const values of this.#cells()) {
      for (let cell = arm; cell < values.length; cell += this.#arms) values[cell] = (values[cell] ?? 0) * kept;
    }
  }

  /**
   * Moves what a family holds to its parts, and empties it: to each what was graded in it while it was tried, and its
   * share of what was graded before.
   */
  divide(
    family: number,
    tried: Grades,
    parts: readonly { readonly from: number; readonly to: number; readonly share: number }[],
  ): void {
    for (let arm = 0; arm < this.#arms; arm++) {
      const cellOf = (of: number) => of * this.#arms + arm;
      for (const { counts, goods } of KINDS) {
        const restOf = (name: typeof counts | (typeof goods)[number]): number =>
          parts.reduce(
            (rest, { from }) => Math.max(0, rest - (tried[name][cellOf(from)] ?? 0)),
            this[name][cellOf(family)] ?? 0,
          );
        const all = restOf(counts);
        const rests = [[counts, all] as const, ...goods.map((name) => [name, Math.min(restOf(name), all)] as const)];
        for (const [name, rest] of rests) {
          for (const { from, to, share } of parts) {
            this[name][cellOf(to)] = (tried[name][cellOf(from)] ?? 0) + share * rest;
          }
        }
      }
      for (const verdicts of [this.verdictCounts, this.verdictSums]) {
        const all = verdicts[cellOf(family)] ?? 0;
        for (const { to, share } of parts) verdicts[cellOf(to)] = share * all;
      }
      for (const values of this.#cells()) values[cellOf(family)] = 0;
    }
  }

  /** Moves what a family holds into another, and empties it. */
  merge(from: number, into: number): void {
    for (const values of this.#cells()) {
      for (let arm = 0; arm < this.#arms; arm++) {
        const [source, target] = [from * this.#arms + arm, into * this.#arms + arm];
        values[target] = (values[target] ?? 0) + (values[source] ?? 0);
        values[source] = 0;
      }
    }
  }

  #cells(): readonly Float64Array[] {
    const { counts, goods, verdictCounts, verdictSums, bothCounts, bothGoods, secondGoods } = this;
    return [counts, goods, verdictCounts, verdictSums, bothCounts, bothGoods, secondGoods];
  }
}

function createPairs(arms: number): Pairs {
  return { counts: new Float64Array(arms), goods: new Float64Array(arms), rewards: new Float64Array(arms) };
}

/** No more is taken off than is left: some may have been forgotten since it was counted. */
function addTo(values: Float64Array, at: number, added = 1): void {
  values[at] = Math.max(0, (values[at] ?? 0) + added);
}
