import type { SeededRandom } from "../seeded-random.ts";
import type { WorkloadState } from "../workload-state.ts";
import { HOPELESS_PART, isHopeless } from "./choose-trial.ts";
import type { GradeScale } from "./evidence.ts";

/** The cost of a trial with the grades of the first judge alone, and with those of both. */
export interface GradingCosts {
  readonly alone: number;
  readonly both: number;
}

/** The trials of a model that a second judge has to be worth its price in: as many as tell most models apart. */
const TRIALS = 100;

/** Returns whether the second judge grades an answer that people rated, or said nothing of: that measures it. */
export function measuresSecond({ evidence }: WorkloadState, random: SeededRandom): boolean {
  return !isHopeless(evidence.second) || random.uniform() < HOPELESS_PART;
}

/**
 * Returns whether the second judge grades the answers of a trial: for the same money, what is known of a model is then
 * less in doubt. While no judge has proved itself it grades as well, for later.
 */
export function paysSecond({ evidence }: WorkloadState, costs: GradingCosts): boolean {
  const { alone, both, second, rewardVariance } = evidence;
  if (both.weight === 0) return alone.weight === 0 && !isHopeless(second);
  if (both.part === 1) return false;
  const doubtOf = ({ weight, favorVariance }: GradeScale, trials: number): number =>
    favorVariance + rewardVariance / (weight * trials);
  const part = costs.both === 0 ? 1 : costs.alone / costs.both;
  return doubtOf(both, TRIALS * part) < doubtOf(alone, TRIALS);
}
