import { isSignificant } from "../../lib/significance.ts";
import type { Decision } from "../bandit/decide.ts";
import { calculatePropensity } from "../bandit/propensity.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { chosenIn, listShares } from "./figures.ts";

/** The part of a workload's calls that explores, and what that costs. */
export interface ExploringFigures {
  /** Part of the calls that is answered by a model that chance drew. */
  readonly share: number;
  /** Rewards lost for each call of the workload against the models that are thought to be best. */
  readonly lost: number;
}

/** Families that are looked at, those with the most requests: each takes half a millisecond. */
const MOST_FAMILIES = 20;

/** Returns the part of the requests in whose families another model than base is better for sure. */
export function findProvenShare(state: WorkloadState): number {
  const proven = listShares(state).filter(({ family }) => isProven(chosenIn(state, family)));
  return proven.reduce((sum, { share }) => sum + share, 0);
}

function isProven({ best, base, worths, doubts }: Decision): boolean {
  const ahead = (worths[best] ?? 0) - (worths[base] ?? 0);
  return best !== base && ahead > 0 && isSignificant(ahead, doubts[best] ?? 0, doubts[base] ?? 0);
}

/** Estimates how much of a workload explores on users, and at what price. */
export function estimateExploring(state: WorkloadState, excluded: readonly string[] = []): ExploringFigures {
  const shares = listShares(state).sort((one, other) => other.share - one.share);
  let [all, explored, lost] = [0, 0, 0];
  for (const { family, share } of shares.slice(0, MOST_FAMILIES)) {
    const decision = chosenIn(state, family, excluded);
    all += share;
    explored += share * (1 - decision.controlChance) * decision.exploreChance;
    lost += share * lostIn(decision);
  }
  return { share: explored / all, lost: lost / all };
}

/**
 * The reward that a call of a family loses by exploring in the place of the best; base as a control is no part of it.
 */
function lostIn(decision: Decision): number {
  const { means, best, eligible, exploreChance } = decision;
  if (exploreChance === 0) return 0;
  const free = { ...decision, controlChance: 0 };
  const lost = Array.from(
    eligible,
    (_, arm) => calculatePropensity(free, arm) * ((means[best] ?? 0) - (means[arm] ?? 0)),
  );
  return (1 - decision.controlChance) * lost.reduce((sum, one) => sum + one, 0);
}
