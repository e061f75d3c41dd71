import { RANKED_SIGNALS, type RankedSignal } from "../../hub/candidate-signals.ts";
import { sigmoid } from "./sigmoid.ts";

/** The signals of an answer that weights are multiplied with. */
export type Ranked = Readonly<Record<Exclude<RankedSignal, "model">, number> & Partial<Record<"model", number>>>;

/** The estimates of weights, in the order of RANKED_SIGNALS. */
export interface Beliefs {
  readonly weights: readonly number[];
  readonly variances: readonly number[];
}

/** The stored state of a ranker. The first weight is the intercept. */
export interface RankerSnapshot {
  readonly weights: readonly number[];
  /** The covariance matrix of the weights, row by row. */
  readonly covariance: readonly number[];
}

const SIZE = RANKED_SIGNALS.length + 1;
/**
 * A weight of nothing is known is within 2 of zero in two of three workloads: with a signal of one half, the odds are
 * up to e times better.
 */
const UNKNOWN_VARIANCE = 4;
/** Half of what is known is forgotten over some 700 rewards. */
const KEPT = 0.999;
const MOST_WEIGHT = 10;

/** The estimates before anything is known. */
export const NO_BELIEFS: Beliefs = {
  weights: RANKED_SIGNALS.map(() => 0),
  variances: RANKED_SIGNALS.map(() => UNKNOWN_VARIANCE),
};

/**
 * A logistic regression of rewards on signals, learned one by one: weights and their covariance, as by a normal
 * approximation around the latest weights. It begins with beliefs, which rewards outweigh as they come. Deterministic.
 */
export class Ranker {
  readonly #weights: Float64Array;
  readonly #covariance: Float64Array;
  readonly #signals = new Float64Array(SIZE);
  readonly #gains = new Float64Array(SIZE);

  private constructor({ weights, covariance }: RankerSnapshot) {
    this.#weights = Float64Array.from(weights);
    this.#covariance = Float64Array.from(covariance);
  }

  /** Begins with beliefs. */
  static begin({ weights, variances }: Beliefs): Ranker {
    const covariance = new Float64Array(SIZE * SIZE);
    for (const [at, variance] of [UNKNOWN_VARIANCE, ...variances].entries()) covariance[at * SIZE + at] = variance;
    return new Ranker({ weights: [0, ...weights], covariance: [...covariance] });
  }

  /**
   * Goes on from what is stored; undefined where that is of other signals. Of the last signal it may know nothing yet.
   */
  static restore(snapshot: RankerSnapshot): Ranker | undefined {
    const { weights, covariance } = snapshot.weights.length === SIZE - 1 ? withLast(snapshot) : snapshot;
    if (weights.length !== SIZE || covariance.length !== SIZE * SIZE) return undefined;
    return new Ranker({ weights, covariance });
  }

  toSnapshot(): RankerSnapshot {
    return { weights: [...this.#weights], covariance: [...this.#covariance] };
  }

  /** Returns the current estimates of the weights. */
  get beliefs(): Beliefs {
    const variances = RANKED_SIGNALS.map((_, at) => this.#covariance[(at + 1) * (SIZE + 1)] ?? 0);
    return { weights: [...this.#weights.subarray(1)], variances };
  }

  /** The reward that is expected of an answer, 0 to 1: the higher, the better. */
  predict(signals: Ranked): number {
    this.#take(signals);
    return sigmoid(dot(this.#weights, this.#signals));
  }

  /** Learns that an answer was worth a reward from 0 to 1, which counts `weight` times. */
  learn(signals: Ranked, reward: number, weight: number): void {
    this.#take(signals);
    this.#forget();
    const [weights, gains, taken, covariance] = [this.#weights, this.#gains, this.#signals, this.#covariance];
    for (let row = 0; row < SIZE; row++) {
      gains[row] = dot(covariance.subarray(row * SIZE, (row + 1) * SIZE), taken);
    }
    const doubt = dot(taken, gains);
    const expected = settle(dot(weights, taken), { doubt: weight * doubt, reward });
    const step = weight * (reward - expected);
    const information = weight * expected * (1 - expected);
    const shrink = information / (1 + information * doubt);
    for (let row = 0; row < SIZE; row++) {
      const gain = gains[row] ?? 0;
      const moved = (weights[row] ?? 0) + gain * step;
      weights[row] = Math.max(-MOST_WEIGHT, Math.min(moved, MOST_WEIGHT));
      for (let column = 0; column < SIZE; column++) {
        const at = row * SIZE + column;
        covariance[at] = (covariance[at] ?? 0) - shrink * gain * (gains[column] ?? 0);
      }
    }
  }

  #take(signals: Ranked): void {
    this.#signals[0] = 1;
    for (const [at, name] of RANKED_SIGNALS.entries()) this.#signals[at + 1] = signals[name] ?? 0;
  }

  /** Widens the doubt, so that what is said now always counts; never beyond that of what nothing is known of. */
  #forget(): void {
    const covariance = this.#covariance;
    for (let at = 0; at < covariance.length; at++) covariance[at] = (covariance[at] ?? 0) / KEPT;
    for (let at = 0; at < SIZE; at++) {
      const variance = covariance[at * (SIZE + 1)] ?? 0;
      if (variance <= UNKNOWN_VARIANCE) continue;
      // Row and column by the same factor: it stays a covariance matrix.
      const factor = Math.sqrt(UNKNOWN_VARIANCE / variance);
      for (let other = 0; other < SIZE; other++) {
        covariance[at * SIZE + other] = (covariance[at * SIZE + other] ?? 0) * factor;
        covariance[other * SIZE + at] = (covariance[other * SIZE + at] ?? 0) * factor;
      }
    }
  }
}

/** Extends a snapshot of a version without the last signal: nothing is known of its weight. */
function withLast({ weights, covariance }: RankerSnapshot): RankerSnapshot {
  const size = weights.length;
  const rows = weights.map((_, row) => [...covariance.slice(row * size, (row + 1) * size), 0]);
  return { weights: [...weights, 0], covariance: [...rows.flat(), ...weights.map(() => 0), UNKNOWN_VARIANCE] };
}

/**
 * Returns what is expected of the same answer once its reward is learned. Steps that go by what was expected before
 * overshoot where that was far off; this is where the step and the new expectation fit, between the one before and the
 * reward.
 */
function settle(logit: number, { doubt, reward }: { readonly doubt: number; readonly reward: number }): number {
  let [low, high] = [logit - doubt, logit + doubt];
  for (let round = 0; round < 50; round++) {
    const middle = (low + high) / 2;
    if (middle < logit + doubt * (reward - sigmoid(middle))) low = middle;
    else high = middle;
  }
  return sigmoid((low + high) / 2);
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** The least variance between weights of two workloads of a project, however alike the known ones look. */
const LEAST_SPREAD = 0.5;

/**
 * Works out what a new workload's weights are believed to be from those of others: each counts by how surely it is
 * known and how far they differ, and beside them that nothing is known.
 */
export function poolBeliefs(others: readonly Beliefs[]): Beliefs {
  const pooled = RANKED_SIGNALS.map((_, at) =>
    poolWeight(others.map(({ weights, variances }) => ({ weight: weights[at] ?? 0, variance: variances[at] ?? 0 }))),
  );
  return { weights: pooled.map(({ weight }) => weight), variances: pooled.map(({ variance }) => variance) };
}

interface Belief {
  readonly weight: number;
  readonly variance: number;
}

function poolWeight(others: readonly Belief[]): Belief {
  const mean = others.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, others.length);
  const squares = others.reduce((sum, { weight }) => sum + (weight - mean) ** 2, 0);
  const spread = Math.max(LEAST_SPREAD, squares / Math.max(1, others.length - 1));
  let sum = 0;
  let sureness = 1 / UNKNOWN_VARIANCE;
  for (const { weight, variance } of others) {
    // What is as doubtful as if nothing were known says nothing.
    const sure = Math.max(0, 1 - variance / UNKNOWN_VARIANCE) / (variance + spread);
    sum += weight * sure;
    sureness += sure;
  }
  if (others.length === 0) return { weight: 0, variance: UNKNOWN_VARIANCE };
  return { weight: sum / sureness, variance: Math.min(UNKNOWN_VARIANCE, spread + 1 / sureness) };
}
