/**
 * The rules of the policy once more, in the plainest way: a list of rewards, and every figure summed up from maps. It
 * shares nothing with src but the constants' values, which are written out here.
 */
export class ReferencePolicy {
  readonly #base: number;
  readonly #prior: readonly number[];
  readonly #weights: readonly number[];
  readonly #rewards: { family: string; arm: number; reward: number }[] = [];
  readonly #errors: { family: string; reward: number; predicted: number }[] = [];
  readonly #levels = new Map<string, number>();
  readonly #advantages: number[];
  /** Per family: what base is believed to earn there, as of its last reward. */
  readonly #ofBase = new Map<string, BaseEstimate>();

  constructor(base: number, priors: readonly (number | undefined)[]) {
    this.#base = base;
    this.#prior = priors.map((prior) => prior ?? 0);
    this.#weights = priors.map((prior) => (prior === undefined ? 0 : 30));
    this.#advantages = this.#prior.map((prior, arm) => prior * (this.#weights[arm] ?? 0));
  }

  learn(family: string, arm: number, reward: number): void {
    if (!this.#levels.has(family)) this.#levels.set(family, this.#pooledBase());
    this.#errors.push({ family, reward, predicted: this.mean(family, arm) });
    this.#advantages[arm] = (this.#advantages[arm] ?? 0) + reward - (this.#levels.get(family) ?? 0);
    this.#rewards.push({ family, arm, reward });
    const inFamily = this.#rewards.filter((one) => one.family === family);
    const rest = inFamily.reduce((sum, one) => sum + one.reward - this.#advantage(one.arm), 0);
    this.#levels.set(family, (rest + 5 * this.#pooledBase()) / (inFamily.length + 5));
    this.#settle(family);
  }

  mean(family: string, arm: number): number {
    const weight = Math.min(12, this.#count(arm) + 1 + (this.#weights[arm] ?? 0));
    const handicap = arm === this.#base ? 0 : 0.1 / (this.#count(arm) + 4 + (this.#weights[arm] ?? 0));
    const center = (this.#levels.get(family) ?? this.#pooledBase()) + this.#advantage(arm) - handicap;
    return posterior(this.#of(family, arm), weight, center).mean;
  }

  /** The standard deviation of `mean`. */
  deviation(family: string, arm: number): number {
    const mean = this.mean(family, arm);
    const weight = Math.min(12, this.#count(arm) + 1 + (this.#weights[arm] ?? 0));
    const spread = Math.max(mean * (1 - mean), 0.05) * this.#dispersion(family);
    return Math.sqrt(spread / (this.#of(family, arm).length + weight));
  }

  /** The loss that has to be reckoned with, the next reward's included, and what may be lost. */
  loss(): number {
    const ofBase = sum(
      [...this.#ofBase].map(([family, { weight, spread }]) => {
        const others = this.#rewards.filter((one) => one.family === family && one.arm !== this.#base);
        return (spread * others.length ** 2) / weight;
      }),
    );
    const all = this.#rewards.filter(({ arm }) => arm !== this.#base).length;
    const parts = this.#weights.map((stated, arm) => {
      const own = this.#rewards.filter((one) => one.arm === arm && arm !== this.#base);
      if (own.length === 0) return { gain: 0, variance: 0, ofBase: 0 };
      const share = own.length / all;
      const earned = sum(own.map(({ family, reward }) => reward - this.#settled(family).mean)) / own.length;
      const variance = sum(own.map(({ family }) => this.#settled(family).spread));
      // What was stated counts as thirty rewards, .085 worse than stated where that is better than base and .06 better
      // at most, and four of nothing beside them.
      const prior = this.#prior[arm] ?? 0;
      const believed = prior > 0 ? Math.min(0.06, prior - 0.085) : prior;
      const known = stated > 0 ? own.length / (1 + (share ** 2 * ofBase) / variance) : own.length;
      const part = known / (known + stated + 4);
      const gain = (own.length * (own.length * earned + stated * believed)) / (own.length + stated + 4);
      return { gain, variance: part * variance, ofBase: stated > 0 ? part * share : share };
    });
    const variance = sum(parts.map((part) => part.variance)) + sum(parts.map((part) => part.ofBase)) ** 2 * ofBase;
    return 2.75 * Math.sqrt(variance) - sum(parts.map(({ gain }) => gain)) + 1;
  }

  budget(): number {
    const count = this.#rewards.length;
    return Math.min(1.2 + 0.009 * count, 8 + 0.003 * count);
  }

  #settle(family: string): void {
    const own = this.#of(family, this.#base);
    const center = (this.#levels.get(family) ?? 0) + this.#advantage(this.#base);
    const { mean, weight } = posterior(own, Math.min(12, this.#count(this.#base) + 1), center);
    const spread = Math.max(mean * (1 - mean), 0.05) * this.#dispersion(family);
    this.#ofBase.set(family, { mean, weight, spread });
  }

  #settled(family: string): BaseEstimate {
    return this.#ofBase.get(family) ?? { mean: 0, weight: 1, spread: 0 };
  }

  /** How rewards scatter about what was predicted, as a part of what rewards of 0 and 1 would do. */
  #dispersion(family: string): number {
    const errors = this.#errors.filter((one) => one.family === family);
    const squares = sum(errors.map(({ reward, predicted }) => (reward - predicted) ** 2));
    const expected = sum(errors.map(({ predicted }) => Math.max(0.01, predicted * (1 - predicted))));
    return Math.min(1, Math.max(0.1, (4 + squares) / (4 + expected)));
  }

  #advantage(arm: number): number {
    return (this.#advantages[arm] ?? 0) / (this.#count(arm) + 4 + (this.#weights[arm] ?? 0));
  }

  #pooledBase(): number {
    const ofBase = this.#rewards.filter(({ arm }) => arm === this.#base);
    return (sum(ofBase.map(({ reward }) => reward)) + 0.5) / (ofBase.length + 1);
  }

  #count(arm: number): number {
    return this.#rewards.filter((one) => one.arm === arm).length;
  }

  #of(family: string, arm: number): number[] {
    return this.#rewards.filter((one) => one.family === family && one.arm === arm).map(({ reward }) => reward);
  }
}

/** The mean of what was seen and of `borrowed` observations of `center`, and on how many it rests. */
function posterior(own: readonly number[], borrowed: number, center: number): { mean: number; weight: number } {
  const weight = own.length + borrowed;
  return { mean: (sum(own) + borrowed * clip(center)) / weight, weight };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clip(value: number): number {
  return Math.min(0.98, Math.max(0.02, value));
}

/** Base's mean in a family, on how many observations it rests, and the variance of one reward. */
interface BaseEstimate {
  readonly mean: number;
  readonly weight: number;
  readonly spread: number;
}
