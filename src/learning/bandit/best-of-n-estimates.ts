import { MOST_ANSWERS } from "./best-of-n.ts";
import type { WorkloadState } from "./workload-state.ts";

/** The estimates of each arm for a request. */
export interface Estimates {
  /** True if it may serve: 1 or 0. */
  readonly eligible: Uint8Array;
  /** The reward that is expected; the same less what its price weighs; how doubtful that is, in standard deviations. */
  readonly means: Float64Array;
  readonly worths: Float64Array;
  readonly doubts: Float64Array;
  /** The models that several answers are asked of, the best first; -1 beyond the last. */
  readonly ranked: Int32Array;
}

export function createEstimates(arms: number): Estimates {
  return {
    eligible: new Uint8Array(arms),
    means: new Float64Array(arms),
    worths: new Float64Array(arms),
    doubts: new Float64Array(arms),
    ranked: new Int32Array(MOST_ANSWERS).fill(-1),
  };
}

const scores = new Float64Array(MOST_ANSWERS);

/** Finds the models that are worth the most, doubt about them held against all but base; returns how many it found. */
export function rankModels(state: WorkloadState, { eligible, worths, doubts, ranked }: Estimates): number {
  const { base, settings, places } = state;
  const ofBase = doubts[base] ?? 0;
  ranked.fill(-1);
  let found = 0;
  for (let arm = 0; arm < places.length; arm++) {
    if (places[arm] !== undefined || eligible[arm] !== 1 || !isKnown(state, arm)) continue;
    const worth = worths[arm] ?? 0;
    const score = arm === base ? worth : calculateScore(worth, doubts[arm] ?? 0, ofBase, settings.doubt);
    let at = found;
    for (; at > 0 && (scores[at - 1] ?? 0) < score; at--) {
      if (at === MOST_ANSWERS) continue;
      scores[at] = scores[at - 1] ?? 0;
      ranked[at] = ranked[at - 1] ?? -1;
    }
    if (at === MOST_ANSWERS) continue;
    scores[at] = score;
    ranked[at] = arm;
    found = Math.min(found + 1, MOST_ANSWERS);
  }
  return found;
}

function isKnown({ base, armCounts, armPriorWeights, settings }: WorkloadState, arm: number): boolean {
  return arm === base || (armCounts[arm] ?? 0) + (armPriorWeights[arm] ?? 0) >= settings.severalLeast;
}

/** Returns the score of an arm against base, less a penalty for doubt about the difference. */
export function calculateScore(worth: number, own: number, ofBase: number, doubt: number): number {
  return worth - doubt * Math.sqrt(own * own + ofBase * ofBase);
}

/**
 * Returns the expected reward of the best of several answers from what is known of their models: of two, the mean, and
 * beside that the part in which they differ by as much as the choice is right more often than chance; the best of these
 * against the next, and so on. Where there are too few models, the last one stands for those that are missing.
 */
export function expectedOfSeveral(
  { settings, accuracy }: WorkloadState,
  places: readonly number[],
  { means, ranked }: Estimates,
): number {
  let best = 0;
  let last = -1;
  for (let at = 0; at < places.length; at++) {
    const member = ranked[places[at] ?? 0] ?? -1;
    const model = member === -1 ? last : member;
    const mean = means[model] ?? 0;
    const part = model === last ? settings.differingOfSame : settings.differingOfOthers;
    const differing = part * (best * (1 - mean) + mean * (1 - best));
    best = at === 0 ? mean : (best + mean) / 2 + (accuracy - 0.5) * differing;
    last = model;
  }
  return best;
}

/**
 * Per arm: 1 if a request may go to it that takes any. Several answers are no choice while nothing says that they are
 * well chosen.
 */
export function everyArm({ places, accuracy, armCounts, settings }: WorkloadState): Uint8Array {
  return Uint8Array.from(places, (of, arm) =>
    of === undefined || accuracy > settings.severalAccuracy || (armCounts[arm] ?? 0) > 0 ? 1 : 0,
  );
}
