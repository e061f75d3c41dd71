import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { costNanos, uncachedCostNanos } from "../catalog/cost.ts";
import type { CatalogModel } from "../catalog/model.ts";
import type { AttemptRecord, InferenceRecord } from "./records.ts";

/** What the costs of an inference depend on. */
export interface CostFacts {
  /** The model that the caller asked for, and the one that answered. */
  readonly base: CatalogModel;
  readonly served: CatalogModel;
  readonly usage: Usage | undefined;
  readonly attempts: readonly AttemptRecord[];
  /** Whether it was answered with what another inference was answered with, whose record has what the call cost. */
  readonly isShared: boolean;
}

/** What an inference cost, what the plain base model would have asked for as many tokens, and what the provider's cache took off. */
export function runCosts({ base, served, usage, attempts, isShared }: CostFacts): CostMembers {
  const baseCostNanos = base.price && usage && costNanos(base.price, usage);
  if (isShared) return { costNanos: baseCostNanos === undefined ? undefined : 0, baseCostNanos };
  const { price } = served;
  const cacheSavedNanos = price && usage && uncachedCostNanos(price, usage) - costNanos(price, usage);
  return { costNanos: totalCost(attempts), baseCostNanos, cacheSavedNanos };
}

type CostMembers = Pick<InferenceRecord, "costNanos" | "baseCostNanos" | "cacheSavedNanos">;

/** Sums up what is known; attempts that failed before they answered cost nothing as a rule, and nobody tells. */
function totalCost(attempts: readonly AttemptRecord[]): number | undefined {
  const costs = attempts.flatMap(({ costNanos }) => costNanos ?? []);
  return costs.length === 0 ? undefined : costs.reduce((total, cost) => total + cost, 0);
}
