import { create } from "@bufbuild/protobuf";
import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Saving,
  SavingKind as SavingKindEnum,
  SavingSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos, uncachedCostNanos } from "../../catalog/cost.ts";
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
  const plain = plainCost(facts, firstPrice(base));
  if (shared !== undefined) {
    return plain === undefined ? {} : { costNanos: 0, baseCostNanos: plain, saved: { [shared]: plain } };
  }
  const cached = (usage: Usage): number =>
    price ? uncachedCostNanos(price, usage, at) - costNanos(price, usage, at) : 0;
  const cacheSavedNanos = price && (isMarked ? sumOf(usages, () => 0) : sumOf(usages, cached));
  const saved = savingsOf(facts);
  const baseCostNanos = saved === undefined ? undefined : plain;
  return { costNanos: totalCost(attempts), costGaps: gapsOf(attempts), baseCostNanos, cacheSavedNanos, saved };
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
function savingsOf(facts: CostFacts): Savings | undefined {
  const { base, served, price, attempts } = facts;
  const [winner, ...further] = attempts.filter(({ isWinner }) => isWinner);
  const atBase = plainCost(facts, firstPrice(base));
  const atFirst = plainCost(facts, firstPrice(served));
  const atPlace = plainCost(facts, price);
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

/** Returns the cost of the tokens without marks that the caller had not set. */
function plainCost({ usages, isMarked, at }: CostFacts, price: PricePicos | undefined): number | undefined {
  const costOf = isMarked ? uncachedCostNanos : costNanos;
  return price && sumOf(usages, (usage) => costOf(price, usage, at));
}

/** Undefined if there is nothing to sum up. */
function sumOf(usages: readonly Usage[], nanos: (usage: Usage) => number): number | undefined {
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
function gapsOf(attempts: readonly AttemptRecord[]): readonly string[] | undefined {
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
  return SAVING_KINDS.flatMap((kind) => {
    const nanos = saved[kind];
    return nanos === undefined ? [] : [create(SavingSchema, { kind: KIND[kind], nanos: BigInt(Math.round(nanos)) })];
  });
}
