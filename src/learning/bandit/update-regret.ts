import { expectedReward, rewardVariance } from "./estimates.ts";
import type { Belief, ObjectiveSettings } from "./settings.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Holds the rewards of a family against the mean of base there, in the account. */
export function updateRegret(state: WorkloadState, family: number): void {
  const { base, settings } = state;
  const cell = family * state.arms.length + base;
  const prior = Math.min(settings.familyPrior, (state.armCounts[base] ?? 0) + 1);
  const center = expectedReward(state, family, base);
  const weight = (state.counts[cell] ?? 0) + prior;
  const mean = ((state.sums[cell] ?? 0) + prior * center) / weight;
  state.account.settle(family, { mean, weight, spread: rewardVariance(state, family, mean) });
}

/**
 * The loss against base that has to be reckoned with: the estimate, and `doubt` standard deviations more. What an arm
 * earned is drawn to what was believed of it before, which few rewards do not outweigh: chance in them neither closes
 * the account nor keeps it open.
 */
export function pessimisticLoss(
  state: WorkloadState,
  { doubt, belief }: Pick<ObjectiveSettings, "doubt" | "belief">,
): number {
  const { account, settings, armPriorWeights, armPriorSums } = state;
  const { baseVariance, armCounts, armSums, armBaseSums, armVariances } = account;
  let all = 0;
  for (let arm = 0; arm < armCounts.length; arm++) all += armCounts[arm] ?? 0;
  let gain = 0;
  let variance = 0;
  let partOfBase = 0;
  for (let arm = 0; arm < armCounts.length; arm++) {
    const count = armCounts[arm] ?? 0;
    const own = armVariances[arm] ?? 0;
    if (count <= 0) continue;
    const share = count / all;
    const weight = armPriorWeights[arm] ?? 0;
    const stated = belief.share * weight;
    const earned = (armSums[arm] ?? 0) - (armBaseSums[arm] ?? 0);
    const drawnBy = stated + settings.accountShrinkage;
    gain +=
      (count * (earned + stated * believedAdvantage((armPriorSums[arm] ?? 0) / (weight || 1), belief))) /
      (count + drawnBy);
    // What is stated is the difference to base: where base is in doubt, rewards tell of that as fewer would of a base
    // that is known.
    const isStated = belief.isOfDifference && stated > 0;
    const known = isStated && own > 0 ? (count * own) / (own + share * share * baseVariance) : count;
    const part = known / (known + drawnBy);
    variance += part * own;
    partOfBase += isStated ? share * part : share;
  }
  variance += partOfBase * partOfBase * baseVariance;
  return doubt * Math.sqrt(Math.max(0, variance)) - gain;
}

/**
 * Returns the advantage over base that counts for a stated one. Only an arm that is stated to be better is served for
 * it, and so may do harm. Who is much better shows it soon, and needs no more credit.
 */
function believedAdvantage(stated: number, { discount, most, isOfDifference }: Belief): number {
  return isOfDifference && stated <= 0 ? stated : Math.min(most, stated - discount);
}
