import { learnedAdvantages } from "../bandit/learn.ts";
import { POLICY_SETTINGS } from "../bandit/settings.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** Rewards of a model below which what was learned of it elsewhere is no ground to begin from. */
const LEAST_REWARDS = 20;

/** The prior advantage of each model, before anything is known of a workload: configured, by name. */
export type Priors = Readonly<Record<string, number>>;

/**
 * Works out what a new workload begins with: how much better than its base each model was in the other workloads of its
 * project, by the rewards that this rests on, and beside that what is configured, as so many rewards as a prior counts
 * for.
 */
export function transferPriors(base: string, others: readonly WorkloadState[], configured: Priors): Priors {
  const sums = new Map<string, { sum: number; weight: number }>();
  const add = (model: string, advantage: number, weight: number) => {
    const known = sums.get(model) ?? { sum: 0, weight: 0 };
    sums.set(model, { sum: known.sum + advantage * weight, weight: known.weight + weight });
  };
  for (const other of others) {
    const learned = learnedAdvantages(other);
    const ofBase = learned[base];
    if (ofBase === undefined || ofBase.rewards < LEAST_REWARDS) continue;
    for (const [model, { advantage, rewards }] of Object.entries(learned)) {
      if (model !== base && rewards >= LEAST_REWARDS) add(model, advantage - ofBase.advantage, rewards);
    }
  }
  for (const [model, advantage] of Object.entries(configured)) {
    if (model !== base) add(model, advantage - (configured[base] ?? 0), POLICY_SETTINGS.priorWeight);
  }
  return Object.fromEntries([...sums].map(([model, { sum, weight }]) => [model, sum / weight]));
}
