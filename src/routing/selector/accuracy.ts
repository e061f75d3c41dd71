import { sigmoid } from "./sigmoid.ts";

/** What is stored of how well a selector was seen to choose: rewards of what it preferred and of what it did not. */
export interface AccuracySnapshot {
  readonly preferredSum: number;
  readonly preferredCount: number;
  readonly otherSum: number;
  readonly otherCount: number;
}

/** How often a selector prefers the better one of two answers that differ, and its interval of 95%; without observations all is possible. */
export interface AccuracyFigures {
  /** Answers that this rests on. Old ones count less. */
  readonly observations: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Half of what was seen is forgotten over some 350 answers, so that 500 count at most. */
const KEPT = 0.998;
/** Standard deviations from the middle of a normal distribution that hold 95% of it. */
const WIDE = 1.96;
/** What each of the four counts has beside what was seen, so that no odds are without end (Haldane). */
const BESIDE = 0.5;

const NOTHING: AccuracySnapshot = { preferredSum: 0, preferredCount: 0, otherSum: 0, otherCount: 0 };

/**
 * Measures a selector by answers that chance chose among several. Only the one that was returned has a reward, so no pair is ever seen whole. But whether
 * chance took what the selector prefers is as a trial that is randomised: the mean reward of what it prefers (a), and of what it does not (b), are known
 * without bias. Of two answers that differ it is right in a(1-b) / (a(1-b) + b(1-a)), if what makes one of them good says nothing of the other; the
 * interval is that of the logarithm of these odds (Woolf). A prompt that all answers are good or bad for makes the figure too low; pairs of which some differ much
 * and others little in what counts make it too high.
 */
export class Accuracy {
  #sums: AccuracySnapshot;

  constructor(snapshot: AccuracySnapshot = NOTHING) {
    this.#sums = snapshot;
  }

  toSnapshot(): AccuracySnapshot {
    return this.#sums;
  }

  /** Takes note of an answer that chance chose: the part of the others that the selector preferred it to, from 0 to 1, and its reward from 0 to 1. */
  add(preferred: number, reward: number): void {
    const { preferredSum, preferredCount, otherSum, otherCount } = this.#sums;
    this.#sums = {
      preferredSum: preferredSum * KEPT + preferred * reward,
      preferredCount: preferredCount * KEPT + preferred,
      otherSum: otherSum * KEPT + (1 - preferred) * reward,
      otherCount: otherCount * KEPT + 1 - preferred,
    };
  }

  get figures(): AccuracyFigures {
    const { preferredSum, preferredCount, otherSum, otherCount } = this.#sums;
    const good = preferredSum + BESIDE;
    const bad = preferredCount - preferredSum + BESIDE;
    const otherGood = otherSum + BESIDE;
    const otherBad = otherCount - otherSum + BESIDE;
    const logit = Math.log((good * otherBad) / (bad * otherGood));
    const doubt = WIDE * Math.sqrt(1 / good + 1 / bad + 1 / otherGood + 1 / otherBad);
    return {
      observations: preferredCount + otherCount,
      value: sigmoid(logit),
      low: sigmoid(logit - doubt),
      high: sigmoid(logit + doubt),
    };
  }
}
