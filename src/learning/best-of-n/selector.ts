import type { CandidateSignals } from "../../hub/candidate-signals.ts";
import { Accuracy, type AccuracyFigures, type AccuracySnapshot } from "./accuracy.ts";
import { type Beliefs, NO_BELIEFS, poolBeliefs, type Ranked, Ranker, type RankerSnapshot } from "./ranker.ts";

/** The stored state of a selector. */
export interface SelectorSnapshot {
  readonly ranker: RankerSnapshot;
  readonly accuracy: AccuracySnapshot;
  /** Mean of the logarithm of the answers' lengths, and how many it is made of. */
  readonly usual: { readonly mean: number; readonly count: number };
  /** Rewards that were learned from. */
  readonly rewards: number;
  readonly isProven: boolean;
  /** Rewards after which it was begun to be measured as it is now; 0 if absent. */
  readonly since?: number;
  /** The drift: how much worse its preferred answers were than it expected, and others better; 0 if absent. */
  readonly drift?: number;
}

/** A choice among answers that passed their checks, as it is on record. */
export interface PastChoice {
  /** The signals of all of them. */
  readonly candidates: readonly CandidateSignals[];
  /** The reward that was expected of each when it was chosen; undefined where nothing was learned yet. */
  readonly expected: readonly (number | undefined)[];
  /** Position of the one that was returned. */
  readonly returned: number;
  /** Chance that it had to be returned, more than 0 to 1. */
  readonly chance: number;
  /** True if chance alone chose it, each as likely as the others. */
  readonly isRandom: boolean;
}

/** The reward of an answer, from 0 to 1, and its weight. */
interface Lesson {
  readonly reward: number;
  readonly weight: number;
}

/** The greatest weight of a reward for a rarely returned answer: more would leave the weights to a few of them. */
const MOST_WEIGHT = 4;
/** Answers that tell what length is usual: the latest count most. */
const USUAL_OVER = 500;
/** From so many on, there is something that is usual. */
const LEAST_USUAL = 20;

/**
 * A selector decides where it is right in so many pairs of answers that differ, by the lower end of the interval, and
 * was measured by so many answers.
 */
const LEAST_ACCURACY = 0.75;
const LEAST_OBSERVATIONS = 20;
/** It goes on deciding down to here: one near the bar would change its standing with every other reward. */
const KEPT_ACCURACY = 0.72;
/** It is given up after so many observations at the earliest: what it had to learn first, it was measured by too. */
const GIVEN_UP_AFTER = 150;
/** Some 800 that were measured, of which the oldest count less: the interval hardly becomes narrower from there on. */
const MOST_OBSERVATIONS = 400;
/** The settings of drift detection: a CUSUM of surprises, like the policy's for models. */
const DRIFT = { allowance: 0.1, threshold: 12, leastRewards: 20 };
/**
 * Rewards after which it is decided also where nothing could be measured, since answers were alike or chance chose none
 * of them.
 */
const MOST_REWARDS = 2000;

/**
 * Learns which of several answers to a request is the best from rewards of those that were returned, and of others that
 * people have looked at. Deterministic.
 */
export class Selector {
  #ranker: Ranker;
  #accuracy: Accuracy;
  #since: number;
  #drift: number;
  #usual: SelectorSnapshot["usual"];
  #rewards: number;
  #figures: AccuracyFigures;
  #isProven: boolean;

  private constructor(ranker: Ranker, snapshot: Omit<SelectorSnapshot, "ranker">) {
    const { accuracy, usual, rewards, isProven, since = 0, drift = 0 } = snapshot;
    this.#since = since;
    this.#drift = drift;
    this.#ranker = ranker;
    this.#accuracy = new Accuracy(accuracy);
    this.#usual = usual;
    this.#rewards = rewards;
    this.#figures = this.#accuracy.figures;
    this.#isProven = this.#isGood(isProven);
  }

  /** Begins with beliefs of what the weights are. */
  static begin(beliefs: Beliefs): Selector {
    const accuracy = new Accuracy().toSnapshot();
    return new Selector(Ranker.begin(beliefs), { accuracy, usual: { mean: 0, count: 0 }, rewards: 0, isProven: false });
  }

  /** Goes on from what is stored; undefined where that is of other signals. */
  static restore({ ranker, ...snapshot }: SelectorSnapshot): Selector | undefined {
    const restored = Ranker.restore(ranker);
    return restored && new Selector(restored, snapshot);
  }

  toSnapshot(): SelectorSnapshot {
    return {
      ranker: this.#ranker.toSnapshot(),
      accuracy: this.#accuracy.toSnapshot(),
      usual: this.#usual,
      rewards: this.#rewards,
      isProven: this.#isProven,
      since: this.#since,
      drift: this.#drift,
    };
  }

  get rewards(): number {
    return this.#rewards;
  }

  /** Rewards after which it was begun to be measured as it is now. */
  get measuredSince(): number {
    return this.#since;
  }

  get beliefs(): Beliefs {
    return this.#ranker.beliefs;
  }

  /** Returns its measured accuracy; each answer was ranked before its reward was learned. */
  get accuracy(): AccuracyFigures {
    return this.#figures;
  }

  /** Returns whether it has proved good enough to choose. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /**
   * Returns whether more observations may yet prove it: it was not, and may be good enough by what was measured, which
   * may still be told more exactly.
   */
  get isUndecided(): boolean {
    const { high, observations } = this.#figures;
    if (this.#isProven || this.#rewards - this.#since >= MOST_REWARDS) return false;
    return observations < GIVEN_UP_AFTER || (high >= LEAST_ACCURACY && observations < MOST_OBSERVATIONS);
  }

  /**
   * Begins to be measured anew, by what it has learned as one goes by that which another workload has: preferences may
   * have changed since it was given up.
   */
  measureAnew(): void {
    this.#beginWith(poolBeliefs([this.#ranker.beliefs]));
  }

  /** Logarithm of the length that answers usually have; undefined while too few are known. */
  get usualLogLength(): number | undefined {
    return this.#usual.count < LEAST_USUAL ? undefined : this.#usual.mean;
  }

  /** The reward that is expected of an answer, 0 to 1. */
  predict(signals: Ranked): number {
    return this.#ranker.predict(signals);
  }

  /** Learns that the answer which was returned was worth a reward from 0 to 1, which counts `weight` times. */
  learn({ candidates, returned, chance, isRandom }: PastChoice, reward: number, weight: number): void {
    const own = candidates[returned];
    if (own === undefined) return;
    this.#rewards += 1;
    if (candidates.length > 1) {
      const preferred = this.#preferred(candidates, own);
      if (isRandom) {
        this.#accuracy.add(preferred, reward);
        this.#look();
      }
      if (this.#hasDrifted((2 * preferred - 1) * (reward - this.predict(own)) * weight)) this.#beginWith(NO_BELIEFS);
    }
    // Where nothing else could be returned, no weight can make up for what never was.
    const inverse = chance < 1 ? Math.min(MOST_WEIGHT, 1 / (candidates.length * chance)) : 1;
    this.#ranker.learn(own, reward, weight * inverse);
    for (const { characters } of candidates) {
      const { mean, count } = this.#usual;
      const next = Math.min(count + 1, USUAL_OVER);
      this.#usual = { mean: mean + (logLength(characters) - mean) / next, count: next };
    }
  }

  /**
   * Learns that the answer of a candidate which was not returned was worth a reward, which counts `weight` times.
   * Nobody knows the chance that somebody would look at it, so nothing makes up for that.
   */
  learnOther({ candidates }: PastChoice, candidate: number, { reward, weight }: Lesson): void {
    const own = candidates[candidate];
    if (own === undefined) return;
    this.#rewards += 1;
    this.#ranker.learn(own, reward, weight);
  }

  /**
   * Takes note that one of two candidates turned out to be better than the other one. It is measured by what was
   * expected when the choice was made, and only where chance alone made it: who looks at the others where the returned
   * one was bad, would else see the selector's mistakes and never where it was right.
   */
  compare({ expected, isRandom }: PastChoice, better: number, worse: number): void {
    const [one, other] = [expected[better], expected[worse]];
    if (!isRandom || one === undefined || other === undefined) return;
    this.#accuracy.addPair(one === other ? 0.5 : Number(one > other));
    this.#look();
  }

  #look(): void {
    this.#figures = this.#accuracy.figures;
    this.#isProven = this.#isGood(this.#isProven);
  }

  #isGood(wasProven: boolean): boolean {
    const { low, observations } = this.#figures;
    return low >= (wasProven ? KEPT_ACCURACY : LEAST_ACCURACY) && observations >= LEAST_OBSERVATIONS;
  }

  /** The part of the others that it is preferred to, half of those that are as good; of two answers at least. */
  #preferred(candidates: readonly CandidateSignals[], own: CandidateSignals): number {
    const expected = this.predict(own);
    let preferred = -0.5;
    for (const other of candidates) {
      const rival = this.predict(other);
      preferred += expected === rival ? 0.5 : Number(expected > rival);
    }
    return preferred / (candidates.length - 1);
  }

  /**
   * Returns whether what is preferred turns out worse than was expected, or what is not better, for longer than chance
   * would have it. `surprise` is how far it was the other way round.
   */
  #hasDrifted(surprise: number): boolean {
    const { allowance, threshold, leastRewards } = DRIFT;
    this.#drift = Math.max(0, this.#drift - surprise - allowance);
    return this.#drift > threshold && this.#rewards - this.#since > leastRewards;
  }

  #beginWith(beliefs: Beliefs): void {
    this.#ranker = Ranker.begin(beliefs);
    this.#accuracy = new Accuracy();
    this.#since = this.#rewards;
    this.#drift = 0;
    this.#look();
  }
}

/** Logarithm of a length, also of none. */
export function logLength(characters: number): number {
  return Math.log(characters + 1);
}
