import { createEstimates } from "../bandit/best-of-n-estimates.ts";
import { wholeFamily } from "../bandit/cluster-id.ts";
import { UNSEEN } from "../bandit/estimates.ts";
import type { SeededRandom } from "../bandit/seeded-random.ts";
import { estimateByEvidence } from "../bandit/shadow/estimate-by-evidence.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** The part of the trials whose request and model are drawn, whatever is believed of them. */
const DRAWN_SHARE = 0.1;
/** Standard deviations that a draw from what is believed of a model is wide. */
const WIDTH = 2;

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
 * Chooses the model to ask, and the family of a recorded request for it: by draws from what is believed (Thompson
 * sampling), those that promise the most above base over the family's traffic, and now and then any. Returns undefined
 * where no draw is above base, and where no request is left.
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
    const number = getNumber(state, family.name);
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

/** Returns the number of a family, or of the one that it was a part of. */
function getNumber({ families }: WorkloadState, name: string): number {
  return families.find(name) ?? families.find(wholeFamily(name)) ?? UNSEEN;
}

function drawByShare(families: readonly RecordedFamily[], random: SeededRandom): RecordedFamily {
  let rest = random.uniform() * families.reduce((sum, { share }) => sum + share, 0);
  for (const family of families) {
    rest -= family.share;
    if (rest < 0) return family;
  }
  return families.at(-1) as RecordedFamily;
}
