import type { WorkloadState } from "./workload-state.ts";

/** Family effects are drawn to base's mean over all families by so many observations. */
const LEVEL_WEIGHT = 5;

/** The number of a family that nothing is known of. */
export const UNSEEN = -1;

/** Observations that the workload-wide estimate of an arm counts for within a family. */
export function priorWeight(state: WorkloadState, arm: number): number {
  const { familyPrior } = state.settings;
  return Math.min(familyPrior, (state.armCounts[arm] ?? 0) + 1 + (state.armPriorWeights[arm] ?? 0));
}

/** How much better than the level of its family an arm is, over all families, drawn to zero by what is not known yet. */
export function advantage(state: WorkloadState, arm: number, handicap = 0): number {
  const weight = (state.armCounts[arm] ?? 0) + state.settings.advantageShrinkage + (state.armPriorWeights[arm] ?? 0);
  return ((state.armAdvantages[arm] ?? 0) - handicap) / weight;
}

/** Estimates the mean reward of an arm in a family. */
export function meanReward(state: WorkloadState, family: number, arm: number): number {
  const handicap = arm === state.base ? 0 : state.settings.strangerHandicap;
  const level = family === UNSEEN ? state.pooledBaseMean() : (state.levels[family] ?? 0);
  const center = Math.min(0.98, Math.max(0.02, level + advantage(state, arm, handicap)));
  const weight = priorWeight(state, arm);
  if (family === UNSEEN) return center;
  const cell = family * state.arms.length + arm;
  return ((state.sums[cell] ?? 0) + weight * center) / ((state.counts[cell] ?? 0) + weight);
}

/** The standard deviation of what `meanReward` estimates. */
export function deviationOf(state: WorkloadState, family: number, arm: number, mean: number): number {
  const seen = family === UNSEEN ? 0 : (state.counts[family * state.arms.length + arm] ?? 0);
  const variance = Math.max(mean * (1 - mean), state.settings.leastVariance);
  return Math.sqrt(variance / (seen + priorWeight(state, arm)));
}

/** Estimates the level of a family anew: its rewards less the advantages of the arms that earned them. */
export function settleLevel(state: WorkloadState, family: number): void {
  const arms = state.arms.length;
  let sum = LEVEL_WEIGHT * state.pooledBaseMean();
  let weight = LEVEL_WEIGHT;
  for (let arm = 0; arm < arms; arm++) {
    const count = state.counts[family * arms + arm] ?? 0;
    sum += (state.sums[family * arms + arm] ?? 0) - count * advantage(state, arm);
    weight += count;
  }
  state.levels[family] = sum / weight;
}

/** Holds the rewards of a family against the mean of base there, in the account. */
export function settleAccount(state: WorkloadState, family: number): void {
  const { base, settings } = state;
  const cell = family * state.arms.length + base;
  const prior = Math.min(settings.familyPrior, (state.armCounts[base] ?? 0) + 1);
  const center = Math.min(0.98, Math.max(0.02, (state.levels[family] ?? 0) + advantage(state, base)));
  const weight = (state.counts[cell] ?? 0) + prior;
  const mean = ((state.sums[cell] ?? 0) + prior * center) / weight;
  state.account.settle(family, mean, weight, settings.leastVariance);
}
