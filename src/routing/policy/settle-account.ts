import { expectedReward, rewardVariance } from "./estimates.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Holds the rewards of a family against the mean of base there, in the account. */
export function settleAccount(state: WorkloadState, family: number): void {
  const { base, settings } = state;
  const cell = family * state.arms.length + base;
  const prior = Math.min(settings.familyPrior, (state.armCounts[base] ?? 0) + 1);
  const center = expectedReward(state, family, base);
  const weight = (state.counts[cell] ?? 0) + prior;
  const mean = ((state.sums[cell] ?? 0) + prior * center) / weight;
  state.account.settle(family, { mean, weight, spread: rewardVariance(state, family, mean) });
}

/**
 * The loss against base that has to be reckoned with: the estimate, and `doubt` standard deviations more. What an arm earned is drawn to what
 * was believed of it before, which few rewards do not outweigh: chance in them neither closes the account nor keeps it open.
 */
export function pessimisticLoss(state: WorkloadState, doubt: number): number {
  const { account } = state;
  const { accountPriorDiscount, accountPriorShare, accountShrinkage } = state.settings;
  let gain = 0;
  let variance = account.baseVariance;
  for (let arm = 0; arm < account.armCounts.length; arm++) {
    const count = account.armCounts[arm] ?? 0;
    if (count <= 0) continue;
    const stated = accountPriorShare * (state.armPriorWeights[arm] ?? 0);
    const believed = accountPriorShare * (state.armPriorSums[arm] ?? 0) - accountPriorDiscount * stated;
    const earned = (account.armSums[arm] ?? 0) - (account.armBaseSums[arm] ?? 0);
    const part = count / (count + stated + accountShrinkage);
    gain += part * (earned + believed);
    variance += part * (account.armVariances[arm] ?? 0);
  }
  return doubt * Math.sqrt(Math.max(0, variance)) - gain;
}
