/**
 * The rules of the policy once more, in the plainest way: a list of rewards, and every figure summed up from maps. It shares nothing with
 * src but the constants' values, which are written out here.
 */
export class ReferencePolicy {
  readonly #base: number;
  readonly #prior: readonly number[];
  readonly #weights: readonly number[];
  readonly #rewards: { family: string; arm: number; reward: number }[] = [];
  readonly #levels = new Map<string, number>();
  readonly #advantages: number[];
  /** Per family: gain and variance, as of its last reward. */
  readonly #gains = new Map<string, readonly [gain: number, variance: number]>();

  constructor(base: number, priors: readonly (number | undefined)[]) {
    this.#base = base;
    this.#prior = priors.map((prior) => prior ?? 0);
    this.#weights = priors.map((prior) => (prior === undefined ? 0 : 30));
    this.#advantages = this.#prior.map((prior, arm) => prior * (this.#weights[arm] ?? 0));
  }

  learn(family: string, arm: number, reward: number): void {
    if (!this.#levels.has(family)) this.#levels.set(family, this.#pooledBase());
    this.#advantages[arm] = (this.#advantages[arm] ?? 0) + reward - (this.#levels.get(family) ?? 0);
    this.#rewards.push({ family, arm, reward });
    const inFamily = this.#rewards.filter((one) => one.family === family);
    const rest = inFamily.reduce((sum, one) => sum + one.reward - this.#advantage(one.arm), 0);
    this.#levels.set(family, (rest + 5 * this.#pooledBase()) / (inFamily.length + 5));
    this.#settle(family);
  }

  mean(family: string, arm: number): number {
    const own = this.#of(family, arm);
    const weight = Math.min(12, this.#count(arm) + 1 + (this.#weights[arm] ?? 0));
    const handicap = arm === this.#base ? 0 : 0.1 / (this.#count(arm) + 4 + (this.#weights[arm] ?? 0));
    const center = (this.#levels.get(family) ?? this.#pooledBase()) + this.#advantage(arm) - handicap;
    return (sum(own) + weight * clip(center)) / (own.length + weight);
  }

  /** The loss that has to be reckoned with, the next reward's included, and what may be lost. */
  loss(): number {
    const all = [...this.#gains.values()];
    const gain = sum(all.map(([value]) => value));
    const variance = sum(all.map(([, value]) => value));
    return 2.4 * Math.sqrt(variance) - gain + 1;
  }

  budget(): number {
    const count = this.#rewards.length;
    return Math.min(1.2 + 0.012 * count, 8 + 0.003 * count);
  }

  #settle(family: string): void {
    const own = this.#of(family, this.#base);
    const weight = Math.min(12, this.#count(this.#base) + 1);
    const center = clip((this.#levels.get(family) ?? 0) + this.#advantage(this.#base));
    const mean = (sum(own) + weight * center) / (own.length + weight);
    const others = this.#rewards.filter((one) => one.family === family && one.arm !== this.#base);
    const gain = sum(others.map(({ reward }) => reward - mean));
    const spread = Math.max(mean * (1 - mean), 0.05);
    this.#gains.set(family, [gain, spread * (others.length + others.length ** 2 / (own.length + weight))]);
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clip(value: number): number {
  return Math.min(0.98, Math.max(0.02, value));
}
