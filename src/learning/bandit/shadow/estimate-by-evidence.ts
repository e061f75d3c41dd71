import type { Estimates } from "../best-of-n-estimates.ts";
import { UNSEEN } from "../estimates.ts";
import { priceInReward } from "../prices.ts";
import type { WorkloadState } from "../workload-state.ts";
import { countIn, sumIn } from "./count-evidence.ts";

/** Estimates a model in a family by people's rewards, and by grades once they count. */
export function estimateByEvidence(state: WorkloadState, family: number, arm: number, estimates: Estimates): void {
  const estimate = state.evidence.gradeWeight > 0 ? estimateByGrades : estimateByRewards;
  const { mean, variance } = estimate(state, family, arm);
  estimates.means[arm] = mean;
  estimates.worths[arm] = mean - priceInReward(state, arm);
  estimates.doubts[arm] = Math.sqrt(variance);
}

interface Estimate {
  readonly mean: number;
  readonly variance: number;
}

/** A model's advantage over all families, and by how much its observations in this one were better or worse. */
function estimateByGrades(state: WorkloadState, family: number, arm: number): Estimate {
  const { evidence, settings } = state;
  const { effects, effectVariances, means, counts, rewardVariance } = evidence;
  const level = getLevel(state, family);
  const cell = family * state.arms.length + arm;
  const count = family === UNSEEN ? 0 : countIn(state, cell);
  const all = counts[arm] ?? 0;
  const sum = family === UNSEEN ? 0 : sumIn(state, cell);
  const own = (sum - count * (level + (means[arm] ?? 0))) / (count + settings.familyPrior);
  const elsewhere = all === 0 ? 1 : 1 - count / all;
  return {
    mean: within(level + (effects[arm] ?? 0) + own),
    variance: (effectVariances[arm] ?? 0) + (rewardVariance * elsewhere) / (count + settings.familyPrior),
  };
}

function estimateByRewards(state: WorkloadState, family: number, arm: number): Estimate {
  const { evidence, settings, base } = state;
  const cell = family * state.arms.length + arm;
  const count = family === UNSEEN ? 0 : countIn(state, cell);
  const all = (evidence.counts[arm] ?? 0) + (state.armPriorWeights[arm] ?? 0);
  const shrinkage = settings.advantageShrinkage;
  const penalty = arm === base ? 0 : (settings.unexploredPenalty * shrinkage) / (all + shrinkage);
  const center = within(getLevel(state, family) + (evidence.advantages[arm] ?? 0) - penalty);
  const weight = Math.min(settings.familyPrior, all + 1);
  const sum = family === UNSEEN ? 0 : sumIn(state, cell);
  const mean = (sum + weight * center) / (count + weight);
  return { mean, variance: Math.max(mean * (1 - mean), settings.leastVariance) / (count + weight) };
}

function getLevel({ evidence }: WorkloadState, family: number): number {
  return (family === UNSEEN ? undefined : evidence.levels[family]) ?? evidence.pooledBaseMean;
}

function within(mean: number): number {
  return Math.min(0.98, Math.max(0.02, mean));
}
