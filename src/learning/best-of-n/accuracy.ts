import { sigmoid } from "./sigmoid.ts";

/** The stored accuracy of a selector: rewards of answers that it preferred and of others. */
export interface AccuracySnapshot {
  readonly preferredSum: number;
  readonly preferredCount: number;
  readonly otherSum: number;
  readonly otherCount: number;
  /**
   * Pairs of which both rewards were seen, and differed; and those of them in which the better one was expected to be
   * that.
   */
  readonly pairs: number;
  readonly rightPairs: number;
}

/** The accuracy of a selector on two answers that differ, with its 95% interval; without observations it is 0 to 1. */
export interface AccuracyFigures {
  /** The evidence: answers that were drawn at random, or pairs of answers with both rewards. */
  readonly basis: "draws" | "pairs";
  /** The number of observations. Old ones count less. */
  readonly observations: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Half of what was seen is forgotten over some 350 answers, so that 500 count at most. */
const KEPT = 0.998;
/** Standard deviations from the middle of a normal distribution that hold 95% of it. */
const WIDE = 1.96;
/** The amount added to each of the four counts, so that odds stay finite (Haldane). */
const BESIDE = 0.5;

const NOTHING: AccuracySnapshot = {
  preferredSum: 0,
  preferredCount: 0,
  otherSum: 0,
  otherCount: 0,
  pairs: 0,
  rightPairs: 0,
};

/**
 * Measures a selector by answers that chance chose among several. Mostly the one that was returned has a reward, and no
 * other one. But whether chance took what the selector prefers is as a trial that is randomised: the mean reward of
 * what it prefers (a), and of what it does not (b), are known without bias. Of two answers that differ it is right in
 * a(1-b) / (a(1-b) + b(1-a)), if what makes one of them good says nothing of the other; the interval is that of the
 * logarithm of these odds (Woolf). A prompt that all answers are good or bad for makes the figure too low; pairs of
 * which some differ much and others little in what counts make it too high. Where both answers of a pair have rewards,
 * it is seen whether it is right, and nothing is supposed; that is what counts once it tells more exactly.
 */
export class Accuracy {
  #sums: AccuracySnapshot;

  constructor(snapshot: AccuracySnapshot = NOTHING) {
    this.#sums = snapshot;
  }

  toSnapshot(): AccuracySnapshot {
    return this.#sums;
  }

  /**
   * Takes note of an answer that chance chose: the part of the others that the selector preferred it to, from 0 to 1,
   * and its reward from 0 to 1.
   */
  add(preferred: number, reward: number): void {
    const { preferredSum, preferredCount, otherSum, otherCount } = this.#sums;
    this.#sums = {
      ...this.#sums,
      preferredSum: preferredSum * KEPT + preferred * reward,
      preferredCount: preferredCount * KEPT + preferred,
      otherSum: otherSum * KEPT + (1 - preferred) * reward,
      otherCount: otherCount * KEPT + 1 - preferred,
    };
  }

  /**
   * Takes note of two answers to one request whose rewards differ: 1 where the better one was expected to be that, 0
   * where not, and 0.5 of equals.
   */
  addPair(right: number): void {
    const { pairs, rightPairs } = this.#sums;
    this.#sums = { ...this.#sums, pairs: pairs * KEPT + 1, rightPairs: rightPairs * KEPT + right };
  }

  get figures(): AccuracyFigures {
    const { preferredSum, preferredCount, otherSum, otherCount, pairs, rightPairs } = this.#sums;
    const ofDraws = getOdds([preferredSum, otherCount - otherSum], [preferredCount - preferredSum, otherSum]);
    const ofPairs = getOdds([rightPairs], [pairs - rightPairs]);
    // They share rewards, so that one may not be added to the other. Which of them counts depends on how exact they
    // are, and not on what they say.
    const isPaired = pairs > 0 && ofPairs.doubt < ofDraws.doubt;
    const { logit, doubt } = isPaired ? ofPairs : ofDraws;
    return {
      basis: isPaired ? "pairs" : "draws",
      observations: isPaired ? pairs : preferredCount + otherCount,
      value: sigmoid(logit),
      low: sigmoid(logit - doubt),
      high: sigmoid(logit + doubt),
    };
  }
}

/** The logarithm of odds that are products of counts, and how far it is off with 95%. */
function getOdds(
  over: readonly number[],
  under: readonly number[],
): { readonly logit: number; readonly doubt: number } {
  const product = (counts: readonly number[]) => counts.reduce((all, count) => all * (count + BESIDE), 1);
  const variance = [...over, ...under].reduce((sum, count) => sum + 1 / (count + BESIDE), 0);
  return { logit: Math.log(product(over) / product(under)), doubt: WIDE * Math.sqrt(variance) };
}
