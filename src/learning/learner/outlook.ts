import type { Outlook } from "../../vocabulary/outlook.ts";
import { relativePrice } from "../bandit/prices.ts";
import { OBJECTIVES } from "../bandit/settings.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { chosenIn, listShares } from "./figures.ts";

/** Standard deviations to either side of an interval of 95%. */
const REACH = 1.96;
const LEAST_REWARDS = 20;
/** The part of base's reward that may be lost, and the price from which on that is worth it, where price is sought. */
const MARGIN = 0.005;
/** A base that earns less is taken to earn this: of next to nothing, any gain is many times as much. */
const LEAST_BASE = 0.05;
const CHEAPER = 0.97;

/**
 * Returns the effect of the policy's choices among models that are not excluded, where it is known with confidence that
 * they pay; undefined elsewhere.
 */
export function estimateOutlook(state: WorkloadState, excluded: readonly string[]): Outlook | undefined {
  const effect = estimateEffect(state, excluded);
  if (effect === undefined) return undefined;
  const { low, price } = effect;
  const pays = OBJECTIVES[state.objective].isMarginGiven ? low > -MARGIN && price < CHEAPER : low > 0;
  return pays ? effect : undefined;
}

/**
 * Estimates what the policy's choices change against base alone, family by family: requests of other kinds are not
 * compared. Undefined where it chooses base alone, and while there is little feedback.
 */
export function estimateEffect(state: WorkloadState, excluded: readonly string[]): Outlook | undefined {
  const { rewards, base, arms } = state;
  if (rewards < LEAST_REWARDS) return undefined;
  let [gain, ofBase, price, variance] = [0, 0, 0, 0];
  // What is wrong of a model is wrong of it in all families.
  const doubts = arms.map(() => 0);
  for (const { family, share } of listShares(state)) {
    const decision = chosenIn(state, family, excluded);
    const { best } = decision;
    const mean = (arm: number) => decision.means[arm] ?? 0;
    ofBase += share * mean(base);
    price += share * relativePrice(state, best);
    if (best === base) continue;
    gain += share * (mean(best) - mean(base));
    doubts[best] = (doubts[best] ?? 0) + share * (decision.doubts[best] ?? 0);
    variance += (share * (decision.doubts[base] ?? 0)) ** 2;
  }
  if (doubts.every((doubt) => doubt === 0)) return undefined;
  const whole = Math.max(LEAST_BASE, ofBase);
  const reach = REACH * Math.hypot(Math.sqrt(variance), ...doubts);
  const [low, high] = [(gain - reach) / whole, (gain + reach) / whole];
  return { gain: gain / whole, low, high, price, rewards: Math.round(rewards) };
}
