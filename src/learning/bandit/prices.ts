import { OBJECTIVES } from "./settings.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Returns the price of an arm's answers, as a multiple of base's in the same families. */
export function relativePrice(state: WorkloadState, arm: number): number {
  return arm === state.base ? 1 : state.prices.relative(arm, state.places[arm]?.length ?? 1);
}

/** Returns whether an arm's price is low enough for the objective; one that is not known yet is. */
export function isCheapEnough(state: WorkloadState, arm: number): boolean {
  const { mostPrice } = OBJECTIVES[state.objective];
  return !state.prices.isKnown(arm) || relativePrice(state, arm) < mostPrice;
}

interface PaidAnswer {
  readonly family: number;
  readonly arm: number;
  readonly price: number;
  readonly saved: number;
}

/**
 * Learns what an answer of an arm cost, and by how much base's cache reads made it cheaper. Throws RangeError for a price
 * that is not a number from 0.
 */
export function learnPrice(state: WorkloadState, { family, arm, price, saved }: PaidAnswer): void {
  if (!(price >= 0 && Number.isFinite(price))) throw new RangeError(`price must be a number from 0, and is ${price}`);
  if (!Number.isFinite(saved)) throw new RangeError(`saved must be a number, and is ${saved}`);
  if (arm === state.base) state.prices.addOfBase(family, price, saved);
  else state.prices.add(family, arm, price);
}

const NANOS_PER_USD = 1e9;

/**
 * Rewards from which on a model's saving counts for half: counted at once, it has every cheap model tried before anybody
 * knows how good it is.
 */
const PROVEN_BY = 50;

/**
 * Returns the reward that one price of base is worth, by what a reward is worth in USD; undefined where nobody has
 * stated that, base has not been paid for yet, or price is not what a model has to earn.
 */
export function rewardOfBasePrice({ objective, usdPerReward, prices }: WorkloadState): number | undefined {
  const price = prices.baseMean;
  if (usdPerReward === 0 || price === undefined || !OBJECTIVES[objective].isPriceEarned) return undefined;
  return price / NANOS_PER_USD / usdPerReward;
}

/**
 * The reward that an arm's price is held to be worth by the objective: what it weighs by now where something is to be
 * saved, and what it has to earn for costing more than base where quality is sought. Where a reward has a worth in USD,
 * what costs less than base gains by it too, as far as the model has rewards.
 */
export function priceInReward(state: WorkloadState, arm: number): number {
  const price = relativePrice(state, arm);
  const ofBase = rewardOfBasePrice(state);
  if (ofBase !== undefined) {
    const counted = price < 1 ? provenOf(state, arm) : 1;
    return state.priceWeight * price + ofBase * (price - 1) * counted;
  }
  const earned = OBJECTIVES[state.objective].isPriceEarned ? state.rewardPerPrice * Math.max(0, price - 1) : 0;
  return state.priceWeight * price + earned;
}

function provenOf({ armCounts }: WorkloadState, arm: number): number {
  const rewards = armCounts[arm] ?? 0;
  return rewards / (rewards + PROVEN_BY);
}

/**
 * The reward that several answers have to earn beside one of the model `best`, by what they cost more than that; none
 * where a reward has a worth, by which all that they cost is weighed.
 */
export function calculateCharge(state: WorkloadState, arm: number, best: number): number {
  if (rewardOfBasePrice(state) !== undefined) return 0;
  const times = relativePrice(state, arm) / Math.max(LEAST_PRICE, relativePrice(state, best));
  return state.settings.severalCharge * Math.max(0, Math.min(times, MOST_TIMES) - 1);
}

/**
 * A model that costs nothing counts as this part of base, and several answers as so many times the best model's price
 * at most.
 */
const LEAST_PRICE = 0.01;
const MOST_TIMES = 10;
