import { grown } from "../grown.ts";
import { createJudgeCounts, type GradedAnswers, type JudgeCounts } from "./judge-record.ts";

/** A judge's grades of answers: those of shadow trials, and those of answers that people judged as well. */
export class Grades {
  readonly #arms: number;
  /** Per family and arm: grades of shadow trials, and the good ones among them. */
  counts: Float64Array;
  goods: Float64Array;
  /** Per family and arm: answers of trials that people of the project judged, and the sum of their verdicts. */
  verdictCounts: Float64Array;
  verdictSums: Float64Array;
  /** Per arm: answers with a grade and feedback, the good grades among them, and the sum of people's rewards. */
  readonly pairCounts: Float64Array;
  readonly pairGoods: Float64Array;
  readonly pairRewards: Float64Array;
  readonly record: JudgeCounts = createJudgeCounts();

  constructor(families: number, arms: number) {
    this.#arms = arms;
    this.counts = new Float64Array(families * arms);
    this.goods = new Float64Array(families * arms);
    this.verdictCounts = new Float64Array(families * arms);
    this.verdictSums = new Float64Array(families * arms);
    this.pairCounts = new Float64Array(arms);
    this.pairGoods = new Float64Array(arms);
    this.pairRewards = new Float64Array(arms);
  }

  grow(families: number): void {
    this.counts = grown(this.counts, families * this.#arms);
    this.goods = grown(this.goods, families * this.#arms);
    this.verdictCounts = grown(this.verdictCounts, families * this.#arms);
    this.verdictSums = grown(this.verdictSums, families * this.#arms);
  }

  /** Counts a grade of a shadow trial. */
  add(family: number, arm: number, isGood: boolean): void {
    const cell = family * this.#arms + arm;
    this.counts[cell] = (this.counts[cell] ?? 0) + 1;
    if (isGood) this.goods[cell] = (this.goods[cell] ?? 0) + 1;
  }

  /** Counts a verdict of people on a trial's answer. */
  addVerdict(family: number, arm: number, reward: number): void {
    const cell = family * this.#arms + arm;
    this.verdictCounts[cell] = (this.verdictCounts[cell] ?? 0) + 1;
    this.verdictSums[cell] = (this.verdictSums[cell] ?? 0) + reward;
  }

  /** Counts a grade of an answer that people gave a reward for. */
  addChecked(arm: number, isGood: boolean, reward: number): void {
    const good = isGood ? 1 : 0;
    const { record } = this;
    if (reward >= 0.5) {
      record.praised += 1;
      record.praisedGood += good;
    } else {
      record.rejected += 1;
      record.rejectedGood += good;
    }
    record.rewardSum += reward;
    record.rewardSquares += reward * reward;
    record.goodRewardSum += good * reward;
    this.pairCounts[arm] = (this.pairCounts[arm] ?? 0) + 1;
    this.pairGoods[arm] = (this.pairGoods[arm] ?? 0) + good;
    this.pairRewards[arm] = (this.pairRewards[arm] ?? 0) + reward;
  }

  /** Counts a grade of an answer that people said nothing of. */
  addSilent(isGood: boolean): void {
    this.record.silent += 1;
    if (isGood) this.record.silentGood += 1;
  }

  /** Returns the trials of each arm, over all families. */
  byArm(): readonly GradedAnswers[] {
    return Array.from(this.pairCounts, (_, arm) => {
      let [count, good] = [0, 0];
      for (let cell = arm; cell < this.counts.length; cell += this.#arms) {
        count += this.counts[cell] ?? 0;
        good += this.goods[cell] ?? 0;
      }
      return { count, good };
    });
  }

  /** Believes only a part of what is known of an arm. */
  fade(arm: number, kept: number): void {
    for (const values of [this.pairCounts, this.pairGoods, this.pairRewards]) values[arm] = (values[arm] ?? 0) * kept;
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
      const rest = { count: this.counts[cellOf(family)] ?? 0, good: this.goods[cellOf(family)] ?? 0 };
      for (const { from } of parts) {
        rest.count = Math.max(0, rest.count - (tried.counts[cellOf(from)] ?? 0));
        rest.good = Math.max(0, rest.good - (tried.goods[cellOf(from)] ?? 0));
      }
      for (const { from, to, share } of parts) {
        this.counts[cellOf(to)] = (tried.counts[cellOf(from)] ?? 0) + share * rest.count;
        this.goods[cellOf(to)] = (tried.goods[cellOf(from)] ?? 0) + share * Math.min(rest.good, rest.count);
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
    return [this.counts, this.goods, this.verdictCounts, this.verdictSums];
  }
}
