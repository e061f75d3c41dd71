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
 * the catalogue, or where that has none as dear as base; both without base's cache. What is measured of an arm has its
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

/** Paid answers that tell a price which no catalogue does: who is too expensive is not asked again. */
const LEAST_PAID = 10;

/** Returns whether an arm's price is low enough for the objective; one that is not known yet is. */
export function isCheapEnough(state: WorkloadState, arm: number): boolean {
  const { mostPrice } = OBJECTIVES[state.objective];
  const isKnown = (state.armPriceCounts[arm] ?? 0) >= LEAST_PAID || (state.armKnownWeights[arm] ?? 0) > 0;
  return !isKnown || relativePrice(state, arm) < mostPrice;
}

/**
 * The reward that an arm's price is held to be worth by the objective: what it weighs by now where something is to be
 * saved, and what it has to earn for costing more than base where quality is sought.
 */
export function priceInReward(state: WorkloadState, arm: number): number {
  const price = relativePrice(state, arm);
  const earned = OBJECTIVES[state.objective].isPriceEarned ? state.rewardPerPrice * Math.max(0, price - 1) : 0;
  return state.priceWeight * price + earned;
}

/** The reward that several answers have to earn beside one of the model `best`, by what they cost more than that. */
export function chargeOf(state: WorkloadState, arm: number, best: number): number {
  const times = relativePrice(state, arm) / Math.max(LEAST_PRICE, relativePrice(state, best));
  return state.settings.severalCharge * Math.max(0, Math.min(times, MOST_TIMES) - 1);
}

/**
 * A model that costs nothing counts as this part of base, and several answers as so many times the best model's price
 * at most.
 */
const LEAST_PRICE = 0.01;
const MOST_TIMES = 10;
