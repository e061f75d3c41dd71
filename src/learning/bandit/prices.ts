import { OBJECTIVES } from "./settings.ts";
import type { WorkloadState } from "./workload-state.ts";

/**
 * The most that a lost cache is believed to cost: a read costs a tenth of what it replaces, at the vendors that take
 * least for it.
 */
const MOST_SWITCH_COST = 9;

/**
 * Returns the extra cost of a request to an arm without base's prompt cache, in prices of base: what base's own cache
 * reads take off. 0 while base reads nothing from a cache.
 */
export function switchCost({ basePaid, baseSaved }: WorkloadState): number {
  return basePaid > 0 ? Math.min(MOST_SWITCH_COST, Math.max(0, baseSaved / basePaid)) : 0;
}

/**
 * Returns the price of an arm's answers, as a multiple of base's in the same families. Before any is paid it is that of
 * the catalog, or where that has none as dear as base; both without base's cache. What is measured of an arm has its
 * own cache reads, and those that it lacks, in it.
 */
export function relativePrice(state: WorkloadState, arm: number): number {
  const count = state.armPriceCounts[arm] ?? 0;
  const answers = state.places[arm]?.length ?? 1;
  const known = state.armKnownWeights[arm] ?? 0;
  const weight = known > 0 ? known : 1;
  const price = (known > 0 ? (state.armKnownPrices[arm] ?? 0) : answers) * (1 + switchCost(state));
  return arm === state.base ? 1 : ((state.armPriceSums[arm] ?? 0) + weight * price) / (count + weight);
}

/** Paid answers that tell a price which no catalog does: who is too expensive is not asked again. */
const LEAST_PAID = 10;

/** Returns whether an arm's price is low enough for the objective; one that is not known yet is. */
export function isCheapEnough(state: WorkloadState, arm: number): boolean {
  const { mostPrice } = OBJECTIVES[state.objective];
  const isKnown = (state.armPriceCounts[arm] ?? 0) >= LEAST_PAID || (state.armKnownWeights[arm] ?? 0) > 0;
  return !isKnown || relativePrice(state, arm) < mostPrice;
}

/** The most prices of base that an answer counts as, where no catalog knows more. */
const MOST_PRICE = 10;

/** Learns what an answer of an arm cost. Throws RangeError for a price that is no number from 0. */
export function learnPrice(state: WorkloadState, family: number, arm: number, price: number): void {
  if (!(price >= 0 && Number.isFinite(price))) throw new RangeError(`price must be a number from 0, and is ${price}`);
  const { basePriceCounts, basePriceSums, armPriceCounts, armPriceSums } = state;
  if (arm === state.base) {
    basePriceCounts[family] = (basePriceCounts[family] ?? 0) + 1;
    basePriceSums[family] = (basePriceSums[family] ?? 0) + price;
    return;
  }
  const ofBase = (basePriceSums[family] ?? 0) / (basePriceCounts[family] ?? 0);
  if (!(ofBase > 0)) return;
  armPriceCounts[arm] = (armPriceCounts[arm] ?? 0) + 1;
  // One answer of a hundred times the length says little about the next.
  const most = Math.max(MOST_PRICE, state.armKnownPrices[arm] ?? 0);
  armPriceSums[arm] = (armPriceSums[arm] ?? 0) + Math.min(most, price / ofBase);
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
export function rewardOfBasePrice({
  objective,
  usdPerReward,
  basePaid,
  basePriced,
}: WorkloadState): number | undefined {
  if (usdPerReward === 0 || basePriced === 0 || !OBJECTIVES[objective].isPriceEarned) return undefined;
  return basePaid / basePriced / NANOS_PER_USD / usdPerReward;
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
