import { createEstimates } from "../../../src/learning/bandit/best-of-n-estimates.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import type { SeededRandom } from "../../../src/learning/bandit/random.ts";
import { estimateByEvidence } from "../../../src/learning/bandit/shadow/estimate-by-evidence.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/** The part of the trials whose request and model are drawn, whatever is believed of them. */
const DRAWN_SHARE = 0.1;
/** Standard deviations that a draw from what is believed of a model is wide. */
const WIDTH = 2;
/** Standard deviations that a model has to be above base by to be looked at. */
const REVIEW_DOUBT = 0.7;
/** Trials after which as many ordinary ones follow as half of the configured share; the part that always stays. */
const FADE = 200;
const LEAST_PART = 0.2;

/** Recorded requests of one family that no model but base has answered yet. */
export interface RecordedFamily {
  readonly name: string;
  /** The part of the workload's requests that are of it. */
  readonly share: number;
  /** Requests that are left. */
  readonly left: number;
}

/** A recorded request of a family, and the model to ask for it. */
export interface BackfillTrial {
  readonly family: RecordedFamily;
  readonly arm: number;
}

/**
 * Chooses whom to ask for which recorded request: by draws from what is believed (Thompson sampling), the family and the
 * model that promise the most above base over the family's traffic, and now and then any. Returns undefined where no
 * draw is above base, and where no request is left.
 */
export function chooseBackfill(
  state: WorkloadState,
  families: readonly RecordedFamily[],
  { eligible, random }: { readonly eligible: Uint8Array; readonly random: SeededRandom },
): BackfillTrial | undefined {
  const open = families.filter(({ left }) => left > 0);
  const arms = state.arms
    .map((_, arm) => arm)
    .filter((arm) => arm !== state.base && eligible[arm] === 1 && state.places[arm] === undefined);
  if (open.length === 0 || arms.length === 0) return undefined;
  if (random.uniform() < DRAWN_SHARE) {
    const arm = arms[Math.floor(random.uniform() * arms.length)];
    const family = drawByShare(open, random);
    return arm === undefined ? undefined : { family, arm };
  }
  let best: BackfillTrial | undefined;
  let most = 0;
  const estimates = createEstimates(state.arms.length);
  for (const family of open) {
    const number = state.families.find(family.name) ?? UNSEEN;
    estimateByEvidence(state, number, state.base, estimates);
    const ofBase = estimates.means[state.base] ?? 0;
    for (const arm of arms) {
      estimateByEvidence(state, number, arm, estimates);
      const drawn = (estimates.means[arm] ?? 0) + WIDTH * (estimates.doubts[arm] ?? 0) * random.normal();
      const promise = Math.sqrt(family.share) * (drawn - ofBase);
      if (promise <= most) continue;
      most = promise;
      best = { family, arm };
    }
  }
  return best;
}

/**
 * Chooses the model whose answers a person should look at: the one that promises the most above base over all traffic,
 * by how unsure it is whether the judge favours it. Returns undefined where none promises anything.
 */
export function chooseReviewed(
  state: WorkloadState,
  families: readonly RecordedFamily[],
  eligible: Uint8Array,
): number | undefined {
  const { base, places, evidence, arms } = state;
  const gains = new Float64Array(arms.length);
  const estimates = createEstimates(arms.length);
  const { means, doubts } = estimates;
  for (const { name, share } of families) {
    const number = state.families.find(name) ?? UNSEEN;
    for (let arm = 0; arm < arms.length; arm++) {
      if (places[arm] === undefined) estimateByEvidence(state, number, arm, estimates);
    }
    for (let arm = 0; arm < arms.length; arm++) {
      if (arm === base || eligible[arm] !== 1 || places[arm] !== undefined) continue;
      const doubt = Math.hypot(doubts[arm] ?? 0, doubts[base] ?? 0);
      const gain = (means[arm] ?? 0) - (means[base] ?? 0) - REVIEW_DOUBT * doubt;
      gains[arm] = (gains[arm] ?? 0) + share * Math.max(0, gain);
    }
  }
  const worths = gains.map((gain, arm) => gain * (evidence.biasVariances[arm] ?? 0));
  const most = Math.max(...worths);
  return most > 0 ? worths.indexOf(most) : undefined;
}

/** Returns the part of the configured share of ordinary trials that is left after so many trials. */
export function fadedPart(trials: number): number {
  return Math.max(LEAST_PART, 1 / (1 + trials / FADE));
}

function drawByShare(families: readonly RecordedFamily[], random: SeededRandom): RecordedFamily {
  let rest = random.uniform() * families.reduce((sum, { share }) => sum + share, 0);
  for (const family of families) {
    rest -= family.share;
    if (rest < 0) return family;
  }
  return families.at(-1) as RecordedFamily;
}
