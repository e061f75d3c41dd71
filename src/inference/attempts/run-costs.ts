import { create } from "@bufbuild/protobuf";
import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Saving,
  SavingKind as SavingKindEnum,
  SavingSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos, uncachedCostNanos, usesCache } from "../../catalog/cost.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import type { PricePicos } from "../../catalog/prices.ts";
import { SAVING_KINDS, type SavingKind, type Savings } from "../../hub/saving-kinds.ts";
import type { AttemptRecord, InferenceRecord } from "../records.ts";

/** The facts that the costs of an inference depend on. */
export interface CostFacts {
  /** The model that the caller asked for, and the one that answered. */
  readonly base: CatalogModel;
  readonly served: CatalogModel;
  /** The price of the deployment that answered; undefined if it is not known. */
  readonly price: PricePicos | undefined;
  /** Of each answer that the caller gets; empty if they are not known. */
  readonly usages: readonly Usage[];
  readonly attempts: readonly AttemptRecord[];
  /** When it began, for prices by hours of the day. */
  readonly at?: Date | undefined;
  /** True if its prompt was marked for a cache where its caller marked nothing. */
  readonly isMarked: boolean;
  /** The way in which another inference's answer was reused, whose record has the cost; undefined if none was. */
  readonly shared: "coalescing" | "responseCache" | undefined;
}

/**
 * Returns what an inference cost, what the plain call of the base model at its first deployment would have asked for as
 * many tokens, and what accounts for the difference. What a cache took off that nobody was helped to is in neither: the
 * plain call would have had it too.
 */
export function runCosts(facts: CostFacts): CostMembers {
  const { base, price, usages, attempts, isMarked, shared, at } = facts;
  const plainAt = createPlainCost(facts);
  const plain = plainAt(firstPrice(base));
  if (shared !== undefined) {
    return plain === undefined ? {} : { costNanos: 0, baseCostNanos: plain, saved: { [shared]: plain } };
  }
  const cached = (usage: Usage): number =>
    price && usesCache(usage) ? uncachedCostNanos(price, usage, at) - costNanos(price, usage, at) : 0;
  const cacheSavedNanos = price && (isMarked ? getSum(usages, () => 0) : getSum(usages, cached));
  const saved = getSavings(facts, plainAt);
  const baseCostNanos = saved === undefined ? undefined : plain;
  return { costNanos: totalCost(attempts), costGaps: getGaps(attempts), baseCostNanos, cacheSavedNanos, saved };
}

/** The costs and savings of an inference, as its record has them. */
export type CostMembers = Pick<
  InferenceRecord,
  "costNanos" | "costGaps" | "baseCostNanos" | "cacheSavedNanos" | "saved"
>;

/**
 * Returns the parts of the difference to the plain call, exactly; undefined where price or tokens are unknown, or
 * nobody answered.
 */
function getSavings(facts: CostFacts, plainAt: PlainCost): Savings | undefined {
  const { base, served, price, attempts } = facts;
  const [winner, ...further] = attempts.filter(({ isWinner }) => isWinner);
  const atBase = plainAt(firstPrice(base));
  const atFirst = plainAt(firstPrice(served));
  const atPlace = plainAt(price);
  if (winner?.costNanos === undefined || atBase === undefined || atFirst === undefined || atPlace === undefined) return;
  const saved: { -readonly [Kind in SavingKind]?: number } = {};
  const add = (kind: SavingKind, nanos: number): void => {
    const sum = (saved[kind] ?? 0) + nanos;
    if (sum !== 0) saved[kind] = sum;
    else if (nanos !== 0) delete saved[kind];
  };
  add("routing", atBase - atFirst);
  add(PLACE_KIND[winner.role], atFirst - atPlace);
  const paid = further.reduce((total, { costNanos = 0 }) => total + costNanos, winner.costNanos);
  // Without marks there is a difference only where a further choice came from another place.
  add(facts.isMarked ? "cacheMarks" : "failover", atPlace - paid);
  const isHedged = attempts.some(({ role }) => role === "hedge");
  for (const { isWinner, outcome, role, costNanos = 0, failedChecks } of attempts) {
    if (isWinner) continue;
    if (role === "candidate") add("candidates", -costNanos);
    else if (role === "retry" || failedChecks !== undefined) add("retry", -costNanos);
    else add(isHedged && outcome === "canceled" ? "hedging" : "failover", -costNanos);
  }
  return saved;
}

/** Why another place than the first answered. */
const PLACE_KIND: Record<AttemptRecord["role"], SavingKind> = {
  primary: "choice",
  failover: "failover",
  hedge: "hedging",
  retry: "retry",
  candidate: "candidates",
};

/** Returns the cost of a plain call at a price: of its tokens without marks that the caller had not set. */
type PlainCost = (price: PricePicos | undefined) => number | undefined;

/**
 * Creates the cost of a plain call at a price, which is counted once where base, first deployment and place have the
 * same. What an upstream reports beyond its price, such as a fee, a plain call at the same price would have cost too:
 * nobody saved it, and nobody lost it.
 */
function createPlainCost({ usages, isMarked, at, price: ownPrice, attempts }: CostFacts): PlainCost {
  const costOf = isMarked ? uncachedCostNanos : costNanos;
  let last: { readonly price: PricePicos; readonly nanos: number | undefined } | undefined;
  return (price) => {
    if (price === undefined) return undefined;
    if (last?.price === price) return last.nanos;
    const plain = getSum(usages, (usage) => costOf(price, usage, at));
    const excess = price === ownPrice ? excessOf(attempts) : 0;
    last = { price, nanos: plain === undefined ? undefined : plain + excess };
    return last.nanos;
  };
}

/** Returns what was reported beyond the price of the answers that the caller gets. */
function excessOf(attempts: readonly AttemptRecord[]): number {
  let sum = 0;
  for (const { isWinner, reportedExcessNanos = 0 } of attempts) if (isWinner) sum += reportedExcessNanos;
  return sum;
}

/** Undefined if there is nothing to sum up. */
function getSum(usages: readonly Usage[], nanos: (usage: Usage) => number): number | undefined {
  return usages.length === 0 ? undefined : usages.reduce((total, usage) => total + nanos(usage), 0);
}

/** Returns the price of a plain call of a model, which asks its first deployment. */
function firstPrice({ deployments, price }: CatalogModel): PricePicos | undefined {
  return deployments[0]?.price ?? price;
}

/** Sums up what is known; attempts that failed before they answered cost nothing as a rule, and nobody tells. */
function totalCost(attempts: readonly AttemptRecord[]): number | undefined {
  const costs = attempts.flatMap(({ costNanos }) => costNanos ?? []);
  return costs.length === 0 ? undefined : costs.reduce((total, cost) => total + cost, 0);
}

/** Most gaps that a record names. */
const MOST_GAPS = 20;

/** Names what has no price: of attempts that have one, and attempts without any beside others that have one. */
function getGaps(attempts: readonly AttemptRecord[]): readonly string[] | undefined {
  if (attempts.length === 1) return attempts[0]?.costGaps;
  const isPriced = attempts.some(({ costNanos }) => costNanos !== undefined);
  const gaps = attempts.flatMap(({ costGaps = [], costNanos, usage, upstream, upstreamModel }) =>
    isPriced && costNanos === undefined && usage !== undefined ? [`${upstreamModel} at ${upstream}`] : costGaps,
  );
  return gaps.length === 0 ? undefined : [...new Set(gaps)].slice(0, MOST_GAPS);
}

const KIND: Record<SavingKind, SavingKindEnum> = {
  cacheMarks: SavingKindEnum.CACHE_MARKS,
  coalescing: SavingKindEnum.COALESCING,
  responseCache: SavingKindEnum.RESPONSE_CACHE,
  choice: SavingKindEnum.CHOICE,
  routing: SavingKindEnum.ROUTING,
  failover: SavingKindEnum.FAILOVER,
  hedging: SavingKindEnum.HEDGING,
  retry: SavingKindEnum.RETRY,
  candidates: SavingKindEnum.CANDIDATES,
};

/** Turns what was saved into the messages that list it. */
export function savingsToMessages(saved: Savings = {}): Saving[] {
  const messages: Saving[] = [];
  for (const kind of SAVING_KINDS) {
    const nanos = saved[kind];
    if (nanos === undefined) continue;
    messages.push(create(SavingSchema, { kind: KIND[kind], nanos: BigInt(Math.round(nanos)) }));
  }
  return messages;
}
