import type { CatalogModel } from "../catalog/model.ts";
import type { Plan, Router } from "../inference/ports.ts";
import { checkCandidates } from "./candidates/requested-candidates.ts";
import type { DeploymentTarget } from "./deployment-target.ts";
import type { RoutingSnapshot } from "./routing-snapshot.ts";
import { createAttemptsStep } from "./steps/add-attempts.ts";
import { createCacheHintsStep } from "./steps/add-cache-hints.ts";
import { addCandidates } from "./steps/add-candidates.ts";
import { addCheck } from "./steps/add-check.ts";
import { createChoiceStep, createRecall } from "./steps/add-choice.ts";
import { createCoalescingFinder } from "./steps/find-coalescing.ts";
import { createFinder, unknownModel } from "./steps/find-model.ts";
import { createRequestFacts, type PlanDraft, type PlanStep, type RequestFacts } from "./steps/plan-step.ts";
import { toAttempt } from "./steps/plan-strategy.ts";
import { relativePrices } from "./steps/relative-prices.ts";

/** Creates a router, which plans each request in steps. */
export function createRouter(snapshot: RoutingSnapshot): Router {
  const places = new Map(snapshot.catalog.models.map((model) => [model, getPlaces(model, snapshot)]));
  const find = createFinder(snapshot, places);
  const recall = createRecall(snapshot);
  const steps: readonly PlanStep[] = [
    addCandidates,
    addCheck,
    createChoiceStep(snapshot, places),
    createAttemptsStep(snapshot, places),
    createCacheHintsStep(snapshot.reuse),
  ];
  return {
    modelOf(input, projectId, mayCall) {
      const { model } = find(input, projectId, mayCall);
      checkCandidates(input, model);
      return model;
    },
    unknownModel: (input, mayCall) => unknownModel(input, snapshot.catalog, mayCall),
    mayBegin: snapshot.mayBegin,
    coalescing: createCoalescingFinder(snapshot, find),
    plan(input, context): Plan {
      const facts = createRequestFacts({ input, context, found: find(input, context.principal.projectId) }, snapshot);
      let draft: PlanDraft = {};
      for (const step of steps) draft = step(draft, facts);
      return toPlan(draft, facts);
    },
    recall: (input, context) => recall(input, context, () => find(input, context.principal.projectId).model.name),
  };
}

function toPlan(
  { planned, candidates, choice, cachedParts, cacheKey, prefixKey }: PlanDraft,
  { found, input }: RequestFacts,
): Plan {
  const { model, places } = found;
  const [first] = places;
  return {
    model,
    ...(first !== undefined && { plain: toAttempt(first, model, 1) }),
    ...(planned ?? { strategy: { kind: "sequence", attempts: [] }, optimizations: [] }),
    // Nothing is learned of several answers that were asked for.
    ...(choice !== undefined && candidates === undefined && input.n < 2 && { decision: choice.decision }),
    cachedParts,
    cacheKey,
    prefixKey,
  };
}

function getPlaces(model: CatalogModel, { upstreams }: RoutingSnapshot): readonly DeploymentTarget[] {
  const prices = relativePrices(model);
  return model.deployments.flatMap((deployment, index) => {
    const upstream = upstreams.get(deployment.upstream);
    return upstream === undefined ? [] : [{ upstream, deployment, relativePrice: prices[index] ?? 1 }];
  });
}
