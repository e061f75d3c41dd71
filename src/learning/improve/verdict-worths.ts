import { createEstimates } from "../bandit/best-of-n-estimates.ts";
import { CONFIDENCE_BY_GRADES } from "../bandit/shadow/choose-by-evidence.ts";
import { estimateByEvidence } from "../bandit/shadow/estimate-by-evidence.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/**
 * Returns the worth of a person's verdict on an answer of each model: the reward per request that is expected to be
 * gained over all families if it were known by how much the judge favors the model, by the part of that which one
 * verdict tells. 0 for base, and for all models while the judge's grades do not count.
 */
export function getVerdictWorths(state: WorkloadState): Float64Array {
  const { base, evidence, arms, families, requests } = state;
  const worths = new Float64Array(arms.length);
  const all = state.countRequests();
  if (evidence.gradeWeight === 0 || all === 0) return worths;
  const estimates = createEstimates(arms.length);
  const { means, doubts } = estimates;
  for (let family = 0; family < families.size; family++) {
    const share = (requests[family] ?? 0) / all;
    if (share === 0) continue;
    for (let arm = 0; arm < arms.length; arm++) {
      if (state.places[arm] === undefined) estimateByEvidence(state, family, arm, estimates);
    }
    const leadOf = (arm: number) => (means[arm] ?? 0) - (means[base] ?? 0);
    const others = arms.map((_, arm) => arm).filter((arm) => arm !== base && state.places[arm] === undefined);
    const served = others.filter((arm) => {
      return leadOf(arm) > CONFIDENCE_BY_GRADES.thumbs * Math.hypot(doubts[arm] ?? 0, doubts[base] ?? 0);
    });
    const gained = Math.max(0, ...served.map(leadOf));
    for (const arm of others) {
      const expected = expectedAbove(leadOf(arm) - gained, getFavorDoubt(state, arm));
      worths[arm] = (worths[arm] ?? 0) + share * expected * partSettled(state, arm);
    }
  }
  return worths;
}

/** Returns the standard deviation of a model's estimate that is due to the judge's favor for it. */
function getFavorDoubt({ evidence }: WorkloadState, arm: number): number {
  const { counts, gradedCounts, biasVariances } = evidence;
  const count = counts[arm] ?? 0;
  const share = count === 0 ? 1 : (gradedCounts[arm] ?? 0) / count;
  return share * Math.sqrt(biasVariances[arm] ?? 0);
}

/** Returns the part of the variance of a judge's favor that one more verdict ends. */
function partSettled({ evidence }: WorkloadState, arm: number): number {
  const { scale, biasVariances } = evidence;
  const ofVerdict = scale.noise * scale.rewardPerGood ** 2;
  const variance = biasVariances[arm] ?? 0;
  return variance === 0 ? 0 : variance / (variance + ofVerdict);
}

/** Returns what is expected of a normal quantity where it is above 0. */
function expectedAbove(mean: number, deviation: number): number {
  if (deviation === 0) return Math.max(0, mean);
  const at = mean / deviation;
  const density = Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  return deviation * density + mean * normalBelow(at);
}

/** Returns the part of a standard normal distribution below a value, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalBelow(value: number): number {
  const part = 1 / (1 + 0.2316419 * Math.abs(value));
  const terms = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = terms.reduce((before, term) => (before + term) * part, 0);
  const above = (sum * Math.exp((-value * value) / 2)) / Math.sqrt(2 * Math.PI);
  return value > 0 ? 1 - above : above;
}
