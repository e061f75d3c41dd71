import type { WorkloadState } from "../workload-state.ts";
import type { GradedAnswers } from "./judge-record.ts";

/** Complaints that a model's rate is drawn to base's by. */
const SHRINKAGE = 0.5;
/** The standard deviation, from model to model, of the logarithm of how many of its bad answers people complain of. */
const INCLINATION = 0.7;
/** The least share of bad answers of base, and the least multiple of it that doubt about a model is reckoned with. */
const LEAST_BAD = 0.05;
const LEAST_RATIO = 0.1;
/** The least variances of what complaints and grades say of a model. */
const LEAST_VARIANCE_OF_COMPLAINTS = 0.01;
const LEAST_VARIANCE_OF_GRADES = 0.05;

/**
 * Compares grades of each model with the rate of complaints about it, where people only complain: of a good model there
 * are too few complaints to tell by their grades whether the judge favours it, but that there are few tells it. A
 * model's share of bad answers is that of base, times the rate of complaints about it for base's.
 */
export function compareComplaints(state: WorkloadState, graded: readonly GradedAnswers[]): void {
  const { evidence, base, places } = state;
  const { gradeWeight: weight, rates } = evidence;
  const { truePositive, falsePositive } = rates;
  if (weight === 0) return;
  const observed = graded.map(({ count, good }) => {
    const sum = (good - falsePositive * count) / (truePositive - falsePositive);
    // TPR comes out too small, so that much would be more than right.
    return { mean: Math.min(1, (weight * sum + 0.5) / (weight * count + 1)), count: weight * count };
  });
  // The judge may favour base too, of which people complain often enough to tell.
  const ofBase = (observed[base]?.mean ?? 0) - (evidence.biases[base] ?? 0);
  const badOfBase = Math.min(1, Math.max(LEAST_BAD, 1 - ofBase));
  for (const [arm, { mean, count }] of observed.entries()) {
    const answers = state.armDecisions[arm] ?? 0;
    if (arm === base || places[arm] !== undefined || count === 0 || answers === 0) continue;
    const { ratio, variance } = complaintRatio(state, arm);
    const favour = mean - (1 - badOfBase * ratio);
    const ofComplaints = (badOfBase * Math.max(ratio, LEAST_RATIO)) ** 2 * variance + LEAST_VARIANCE_OF_COMPLAINTS;
    const ofGrades = Math.max(mean * (1 - mean), LEAST_VARIANCE_OF_GRADES) / count;
    const precision = 1 / (ofComplaints + ofGrades);
    const known = 1 / (evidence.biasVariances[arm] ?? 1);
    evidence.biases[arm] = ((evidence.biases[arm] ?? 0) * known + favour * precision) / (known + precision);
    evidence.biasVariances[arm] = 1 / (known + precision);
  }
}

/** Returns how often people complain of a model for once of base, and the variance of the logarithm of that. */
function complaintRatio({ armCounts, armDecisions, base }: WorkloadState, arm: number) {
  const [ofArm, ofBase] = [armCounts[arm] ?? 0, armCounts[base] ?? 0];
  const rateOfBase = (ofBase + SHRINKAGE) / ((armDecisions[base] ?? 0) + 1);
  const ratio = (ofArm + SHRINKAGE) / ((armDecisions[arm] ?? 0) * rateOfBase + SHRINKAGE);
  return { ratio, variance: 1 / (ofArm + SHRINKAGE) + 1 / (ofBase + SHRINKAGE) + 2 * INCLINATION ** 2 };
}
