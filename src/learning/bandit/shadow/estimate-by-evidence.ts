import type { Estimates } from "../best-of-n-estimates.ts";
import { UNSEEN } from "../estimates.ts";
import { priceInReward } from "../prices.ts";
import type { WorkloadState } from "../workload-state.ts";
import { countIn, sumIn } from "./weigh-evidence.ts";

/** The part of what is expected of a model in a family before its answers there that rests on grades. */
const GRADED_SHARE = 0.8;
/** The factor on the doubt about a judge's favours: the model that is best by grades is likely one that it favours. */
const FAVOUR_DOUBT = 1.25;

/** Estimates a model in a family by people's rewards and grades together. */
export function estimateByEvidence(
  state: WorkloadState,
  family: number,
  arm: number,
  { means, worths, doubts }: Estimates,
): void {
  const { evidence, settings, base, grades } = state;
  const { rates, biases, biasVariances, advantages } = evidence;
  const cell = family * state.arms.length + arm;
  const count = family === UNSEEN ? 0 : countIn(state, cell);
  const all = (evidence.counts[arm] ?? 0) + (state.armPriorWeights[arm] ?? 0);
  const shrinkage = settings.advantageShrinkage;
  const penalty = arm === base ? 0 : (settings.unexploredPenalty * shrinkage) / (all + shrinkage);
  const level = (family === UNSEEN ? undefined : evidence.levels[family]) ?? evidence.pooledBaseMean;
  const center = Math.min(0.98, Math.max(0.02, level + (advantages[arm] ?? 0) - penalty));
  const weight = Math.min(settings.familyPrior, all + 1);
  const graded = rates.weight === 0 ? 0 : rates.weight * (family === UNSEEN ? 0 : (grades.counts[cell] ?? 0));
  const share = rates.weight === 0 ? 0 : (graded + weight * GRADED_SHARE) / (count + weight);
  const sum = family === UNSEEN ? 0 : sumIn(state, cell);
  const mean = (sum + weight * center) / (count + weight) - share * (biases[arm] ?? 0);
  means[arm] = mean;
  worths[arm] = mean - priceInReward(state, arm);
  const variance = Math.max(mean * (1 - mean), settings.leastVariance) / (count + weight);
  doubts[arm] = Math.sqrt(variance + FAVOUR_DOUBT * share * share * (biasVariances[arm] ?? 0));
}
