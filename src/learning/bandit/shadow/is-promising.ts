import type { Estimates } from "../best-of-n-estimates.ts";
import type { WorkloadState } from "../workload-state.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";

/**
 * Rewards of people from which on they tell of a model themselves, and observations that have to speak for it before.
 */
const MOST_REWARDS = 15;
const LEAST_OBSERVATIONS = 50;
/** The lead over base that is worth finding out about, in rewards, and in standard deviations of the difference. */
const LEAST_LEAD = 0.02;
const LEAST_CERTAINTY = 0.3;

/**
 * Returns whether the model that is expected to be worth the most is held back by one doubt alone: that the judge
 * favors it. Further trials never end that doubt, and a few answers to people do.
 */
export function isPromising(state: WorkloadState, estimates: Estimates): boolean {
  const { means, doubts } = estimates;
  const { base, evidence, armCounts, places } = state;
  if (evidence.gradeWeight === 0 || isComplaintsOnly(state)) return false;
  const arm = mostWorth(estimates, base);
  if (arm === base || places[arm] !== undefined) return false;
  if ((armCounts[arm] ?? 0) >= MOST_REWARDS || (evidence.counts[arm] ?? 0) < LEAST_OBSERVATIONS) return false;
  const lead = (means[arm] ?? 0) - (means[base] ?? 0);
  return lead >= LEAST_LEAD && lead >= LEAST_CERTAINTY * Math.hypot(doubts[arm] ?? 0, doubts[base] ?? 0);
}

/** Returns the arm that may serve and is expected to be worth the most; base where no other is worth more. */
export function mostWorth({ worths, eligible }: Estimates, base: number): number {
  let best = base;
  for (let arm = 0; arm < eligible.length; arm++) {
    if (eligible[arm] === 1 && (worths[arm] ?? 0) > (worths[best] ?? 0)) best = arm;
  }
  return best;
}
