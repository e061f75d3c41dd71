import { createEstimates, type Estimates, expectedOfSeveral, rankModels } from "./best-of-n-estimates.ts";
import { priceInReward } from "./prices.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Family effects are drawn to base's mean over all families by so many observations. */
const LEVEL_WEIGHT = 5;

/** The number of a family that nothing is known of. */
export const UNSEEN = -1;

/** Observations that the workload-wide estimate of an arm counts for within a family. */
export function priorWeight(state: WorkloadState, arm: number): number {
  return Math.min(state.settings.familyPrior, (state.armCounts[arm] ?? 0) + 1 + believedWeight(state, arm));
}

/**
 * Observations that what was believed of an arm counts for: what was stated of a model, and for several answers what
 * their models let expect.
 */
function believedWeight({ places, settings, armPriorWeights }: WorkloadState, arm: number): number {
  return places[arm] === undefined ? (armPriorWeights[arm] ?? 0) : settings.severalPrior;
}

/** Returns an arm's advantage over the level of its family, over all families, shrunk to zero while little is known. */
export function advantage(state: WorkloadState, arm: number, handicap = 0): number {
  const weight = (state.armCounts[arm] ?? 0) + state.settings.advantageShrinkage + believedWeight(state, arm);
  return ((state.armAdvantages[arm] ?? 0) - handicap) / weight;
}

/**
 * Returns the expected reward of an arm in a family before its rewards there: the family's level plus the arm's
 * advantage.
 */
export function expectedReward(state: WorkloadState, family: number, arm: number, handicap = 0): number {
  const level = family === UNSEEN ? state.pooledBaseMean() : (state.levels[family] ?? 0);
  return Math.min(0.98, Math.max(0.02, level + advantage(state, arm, handicap)));
}

/** Estimates the mean reward of an arm in a family. */
export function meanReward(state: WorkloadState, family: number, arm: number): number {
  const places = state.places[arm];
  if (places !== undefined) return meanAround(state, family, arm, expectedWithAll(state, family, places));
  const handicap = arm === state.base ? 0 : state.settings.unexploredPenalty;
  return drawn(state, family, arm, expectedReward(state, family, arm, handicap));
}

/** The same of an arm of several answers, of which so much is to be expected by what is known of its models. */
export function meanAround(state: WorkloadState, family: number, arm: number, expected: number): number {
  const center = expected + advantage(state, arm);
  return drawn(state, family, arm, Math.min(0.98, Math.max(0.02, center)));
}

/** Draws what an arm earned in a family to what is expected of it there. */
function drawn(state: WorkloadState, family: number, arm: number, center: number): number {
  const weight = priorWeight(state, arm);
  if (family === UNSEEN) return center;
  const cell = family * state.arms.length + arm;
  return ((state.sums[cell] ?? 0) + weight * center) / ((state.counts[cell] ?? 0) + weight);
}

const scratch = new Map<number, Estimates>();

/** Returns the expected reward of several answers where any model may give them. */
export function expectedWithAll(state: WorkloadState, family: number, places: readonly number[]): number {
  const arms = state.arms.length;
  const estimates = scratch.get(arms) ?? createEstimates(arms);
  scratch.set(arms, estimates);
  for (let arm = 0; arm < arms; arm++) {
    estimates.eligible[arm] = state.broken[arm] === 1 ? 0 : 1;
    if (state.places[arm] === undefined) estimateModel(state, family, arm, estimates);
  }
  rankModels(state, estimates);
  return expectedOfSeveral(state, places, estimates);
}

/** Estimates a model in a family. */
export function estimateModel(
  state: WorkloadState,
  family: number,
  arm: number,
  { means, worths, doubts }: Estimates,
): void {
  const mean = meanReward(state, family, arm);
  means[arm] = mean;
  worths[arm] = mean - priceInReward(state, arm);
  doubts[arm] = estimateDeviation(state, family, arm, mean);
}

/** The variance that a single reward of such a mean is believed to have in a family. */
export function rewardVariance(state: WorkloadState, family: number, mean: number): number {
  return Math.max(mean * (1 - mean), state.settings.leastVariance) * dispersion(state, family);
}

/** Returns the dispersion of a family's rewards. */
function dispersion({ settings, errors }: WorkloadState, family: number): number {
  return family === UNSEEN ? 1 : errors.dispersion(family, family + 1, settings);
}

/** The standard deviation of what `meanReward` estimates. */
export function estimateDeviation(state: WorkloadState, family: number, arm: number, mean: number): number {
  const seen = family === UNSEEN ? 0 : (state.counts[family * state.arms.length + arm] ?? 0);
  const variance = rewardVariance(state, family, mean);
  return Math.sqrt(variance / (seen + priorWeight(state, arm)));
}

/** Estimates the level of a family anew: its rewards less the advantages of the arms that earned them. */
export function settleLevel(state: WorkloadState, family: number): void {
  const arms = state.arms.length;
  let sum = LEVEL_WEIGHT * state.pooledBaseMean();
  let weight = LEVEL_WEIGHT;
  for (let arm = 0; arm < arms; arm++) {
    // The advantages of several answers are not held against the level, but against what is expected of them.
    if (state.places[arm] !== undefined) continue;
    const count = state.counts[family * arms + arm] ?? 0;
    sum += (state.sums[family * arms + arm] ?? 0) - count * advantage(state, arm);
    weight += count;
  }
  state.levels[family] = sum / weight;
}

/**
 * Returns whether others than base have rewards, and base has none: what was stated of them would then be held against
 * nothing but itself.
 */
export function isBaseUnknown({ armCounts, base, rewards, settings }: WorkloadState): boolean {
  return armCounts[base] === 0 && rewards >= settings.mostWithoutBase;
}
