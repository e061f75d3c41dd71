import type { Estimates } from "../best-of-n-estimates.ts";
import { OBJECTIVES } from "../settings.ts";
import type { WorkloadState } from "../workload-state.ts";
import { estimateByEvidence } from "./estimate-by-evidence.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";

/**
 * The penalty for doubt about the difference to base, in standard deviations: nothing is found out on users. Estimates
 * by grades have all of their doubt, and those by rewards alone have not.
 */
export const CONFIDENCE = 1;
/** The same where estimates are by grades. */
export const CONFIDENCE_BY_GRADES = { thumbs: 0.8, ratings: 0.5, complaints: 0.7 };
/**
 * The factor on it where two judges have graded answers to recorded requests: all of these come before people have
 * rated the models, and what both judges favor one by may be more alike than is taken.
 */
const TWO_JUDGES_OF_RECORDED = 1.25;
/** Reward that an answer may lose where the objective has a margin. */
const MARGIN = 0.005;

/**
 * Chooses who answers where feedback is rare: in base's place a model that people's rewards and grades together say is
 * better, with confidence, and that is expected to earn its price; with a margin in the objective, one that is no worse
 * than that.
 */
export function chooseByEvidence(
  state: WorkloadState,
  family: number,
  estimates: Estimates,
  confidence = getConfidence(state),
): number {
  const { base, places, objective } = state;
  const { eligible, means, worths, doubts } = estimates;
  for (let arm = 0; arm < places.length; arm++) {
    if (places[arm] === undefined) estimateByEvidence(state, family, arm, estimates);
  }
  const { isMarginGiven } = OBJECTIVES[objective];
  const [meanOfBase, worthOfBase] = [means[base] ?? 0, worths[base] ?? 0];
  let best = base;
  let most = isMarginGiven ? worthOfBase : Number.NEGATIVE_INFINITY;
  for (let arm = 0; arm < eligible.length; arm++) {
    if (arm === base || eligible[arm] === 0 || places[arm] !== undefined) continue;
    const penalty = confidence * Math.hypot(doubts[arm] ?? 0, doubts[base] ?? 0);
    const better = (means[arm] ?? 0) - meanOfBase;
    const gain = (worths[arm] ?? 0) - worthOfBase;
    // A price has to be earned by what is expected; that quality gains has to be known with confidence.
    const isRefused = isMarginGiven ? better - penalty < -MARGIN : gain <= 0 || Math.max(gain, better) <= penalty;
    if (isRefused) continue;
    const score = (worths[arm] ?? 0) - penalty;
    if (score <= most) continue;
    most = score;
    best = arm;
  }
  return best;
}

function getConfidence(state: WorkloadState): number {
  const { gradeWeight, both, areRatings } = state.evidence;
  if (gradeWeight === 0) return CONFIDENCE;
  const { thumbs, ratings, complaints } = CONFIDENCE_BY_GRADES;
  const confidence = isComplaintsOnly(state) ? complaints : areRatings ? ratings : thumbs;
  return both.weight > 0 && state.recordedTrials > 0 ? TWO_JUDGES_OF_RECORDED * confidence : confidence;
}
