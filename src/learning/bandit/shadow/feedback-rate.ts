import type { WorkloadState } from "../workload-state.ts";

/** The share of requests that has to get feedback for exploring on users to pay, and how many may lack first. */
const LEAST_SHARE = 0.1;
const SHORT_OF = 3;
/** The share from which on feedback without praise is taken for a bad base, and not for silence of the content. */
const LEAST_SHARE_UNPRAISED = 0.5;
/**
 * The share of praise that a few raters may bring among users who only complain: a tenth of the raters are more at
 * first, where they say more than others.
 */
const MOST_PRAISE = 0.25;
/** Complaints before the first praise that tell users who only complain from chance. */
const LEAST_COMPLAINTS = 5;

/** Returns whether people only complain: silence says nothing, and the mean of rewards is no measure of quality. */
export function isComplaintsOnly({ rewards, praises, decisions }: WorkloadState): boolean {
  return praises <= MOST_PRAISE * rewards && rewards >= LEAST_COMPLAINTS && rewards < LEAST_SHARE_UNPRAISED * decisions;
}

/**
 * Returns whether feedback is dense enough for exploring on users: rarer, what exploring costs is more than what it
 * finds (docs/decisions/0068-sparse-feedback.md).
 */
export function isFeedbackDense(state: WorkloadState): boolean {
  return state.rewards + SHORT_OF >= LEAST_SHARE * state.decisions && !isComplaintsOnly(state);
}
