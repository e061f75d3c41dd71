import { expectedWithAll, meanReward, settleLevel } from "./estimates.ts";
import type { WeightedReward } from "./shadow/judge-record.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Reward from which on feedback is no complaint. */
const CONTENT = 0.5;

/** A family and an arm, by their numbers. */
interface Cell {
  readonly family: number;
  readonly arm: number;
}

/** Counts a reward. The account has to be settled afterwards. */
export function addReward(state: WorkloadState, { family, arm }: Cell, { reward, weight }: WeightedReward): void {
  const { base, armCounts, armSums, armAdvantages, counts, sums } = state;
  const places = state.places[arm];
  const expected = places === undefined ? (state.levels[family] ?? 0) : expectedWithAll(state, family, places);
  const cell = family * state.arms.length + arm;
  // A reward of weight w counts as w observations: doubt about a mean is then reckoned too high, never too low.
  counts[cell] = (counts[cell] ?? 0) + weight;
  sums[cell] = (sums[cell] ?? 0) + weight * reward;
  armCounts[arm] = (armCounts[arm] ?? 0) + weight;
  armSums[arm] = (armSums[arm] ?? 0) + weight * reward;
  armAdvantages[arm] = (armAdvantages[arm] ?? 0) + weight * reward - weight * expected;
  state.rewards += weight;
  if (reward >= CONTENT) state.praises += weight;
  settleLevel(state, family);
  if (arm !== base) state.account.add(family, arm, reward, weight);
  if (reward < CONTENT) state.complaints?.add(family, arm === base, 0, -weight);
}

/**
 * Takes back a reward, and what it had added to the sums of drift. Returns the weight that was taken, as removeReward()
 * does.
 */
export function withdraw(state: WorkloadState, cell: Cell, rewarded: WeightedReward): number {
  const weight = removeReward(state, cell, rewarded);
  const surprise = weight * (rewarded.reward - meanReward(state, cell.family, cell.arm));
  state.drifts.remove(cell.arm, surprise, state.settings);
  return weight;
}

/**
 * Takes a reward off all counts. No more is taken than is left of it where rewards were forgotten meanwhile. Returns
 * the weight that was taken.
 */
export function removeReward(
  state: WorkloadState,
  { family, arm }: Cell,
  { reward, weight: learned }: WeightedReward,
): number {
  const { base, counts, sums, armCounts, armSums, armAdvantages } = state;
  const cell = family * state.arms.length + arm;
  const weight = Math.min(learned, counts[cell] ?? 0);
  const places = state.places[arm];
  const expected = places === undefined ? (state.levels[family] ?? 0) : expectedWithAll(state, family, places);
  counts[cell] = (counts[cell] ?? 0) - weight;
  sums[cell] = within((sums[cell] ?? 0) - weight * reward, counts[cell] ?? 0);
  armCounts[arm] = Math.max(0, (armCounts[arm] ?? 0) - weight);
  armSums[arm] = within((armSums[arm] ?? 0) - weight * reward, armCounts[arm] ?? 0);
  armAdvantages[arm] = (armAdvantages[arm] ?? 0) - weight * (reward - expected);
  state.rewards = Math.max(0, state.rewards - learned);
  if (reward >= CONTENT) state.praises = Math.max(0, state.praises - learned);
  settleLevel(state, family);
  if (arm !== base) state.account.add(family, arm, reward, -weight);
  if (reward < CONTENT) state.complaints?.add(family, arm === base, 0, weight);
  return weight;
}

function within(sum: number, most: number): number {
  return Math.min(most, Math.max(0, sum));
}
