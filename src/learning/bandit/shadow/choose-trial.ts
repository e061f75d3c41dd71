import { createEstimates } from "../best-of-n-estimates.ts";
import type { SeededRandom } from "../seeded-random.ts";
import type { WorkloadState } from "../workload-state.ts";
import { estimateByEvidence } from "./estimate-by-evidence.ts";
import type { JudgeScale } from "./judge-scale.ts";

/** Standard deviations of the difference from which on a model is surely worse, and asked no more. */
const SETTLED = 2.5;
/** The part of the trials that stays once nothing is left to find, or the judge has failed. */
const TRICKLE = 0.1;
/** Answers with feedback, and requests, after which a judge that has not proved itself has failed. */
const LEAST_CHECKED = 150;
const LEAST_REQUESTS = 1500;
/** Least information of people about its grades: a judge with less has not failed. */
const LEAST_INFORMATION = 6;
/** Upper end of the slope up to which a judge has failed already after EARLY_INFORMATION. */
const PROMISING = 0.35;
const EARLY_INFORMATION = 2;

interface TrialRequest {
  /** The number of its family; `UNSEEN` if it has none. */
  readonly family: number;
  /** The model that answered. */
  readonly served: number;
  /** Per arm: 1 if it may answer. */
  readonly eligible: Uint8Array;
}

/** Returns the part of the answers with feedback that is worth grading by now, to measure the judge: 0 to 1. */
export function checkPart(state: WorkloadState): number {
  if (state.rewards === 0) return TRICKLE;
  if (state.evidence.gradeWeight > 0) return 1;
  const { praised, rejected } = state.grades.record;
  const isDue = praised + rejected >= LEAST_CHECKED || state.decisions >= LEAST_REQUESTS;
  return isDue && state.evidence.scale.information >= LEAST_INFORMATION ? TRICKLE : 1;
}

/**
 * Returns the part of the configured share of trials that is worth its cost by now, 0 to 1. A judge that looks useless
 * is measured on: hostile raters make a good one look so at first.
 */
export function trialPart(state: WorkloadState): number {
  const { gradeWeight, scale } = state.evidence;
  const looksUseless = gradeWeight === 0 && scale.high <= PROMISING && scale.information >= EARLY_INFORMATION;
  return looksUseless ? TRICKLE : checkPart(state);
}

/** The part of the grades that is still asked of a judge that is hopeless: its model may become better. */
export const HOPELESS_PART = TRICKLE;

/** Returns whether people have said enough of a judge's grades to tell that it is of no use. */
export function isHopeless({ isProven, information, high }: JudgeScale): boolean {
  return !isProven && information >= LEAST_INFORMATION && high <= PROMISING;
}

/**
 * Chooses the model that a shadow trial of a request asks: of those that may answer and are not settled, the one with
 * the highest draw from what is believed of it (Thompson sampling). Returns undefined where no trial is worth it.
 */
export function chooseTrial(
  state: WorkloadState,
  { family, served, eligible }: TrialRequest,
  random: SeededRandom,
): number | undefined {
  const estimates = createEstimates(state.arms.length);
  const { means, doubts } = estimates;
  for (let arm = 0; arm < eligible.length; arm++) {
    if (state.places[arm] === undefined) estimateByEvidence(state, family, arm, estimates);
  }
  const mayTry = (arm: number): boolean => arm !== served && eligible[arm] === 1 && state.places[arm] === undefined;
  const others = state.arms.map((_, arm) => arm).filter(mayTry);
  const open = others.filter((arm) => {
    const doubt = Math.hypot(doubts[arm] ?? 0, doubts[served] ?? 0);
    return (means[arm] ?? 0) + SETTLED * doubt > (means[served] ?? 0);
  });
  if (open.length === 0 && random.uniform() >= TRICKLE) return undefined;
  const candidates = open.length === 0 ? others : open;
  let best: number | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const arm of candidates) {
    const drawn = (means[arm] ?? 0) + (doubts[arm] ?? 0) * random.normal();
    if (drawn <= most) continue;
    most = drawn;
    best = arm;
  }
  return best;
}
