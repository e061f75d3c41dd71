import type { CatalogModel } from "../../catalog/model.ts";
import { createRandom } from "../../lib/hash.ts";
import { getCandidates } from "../candidates/requested-candidates.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import { selectionFor } from "./add-candidates.ts";
import { getWorths, type ModelChoice } from "./choose-model.ts";
import { behind, type PlacesByModel, together } from "./fallback-models.ts";
import { type PlanDraft, type PlanStep, type RequestFacts, withoutDifferent } from "./plan-step.ts";
import { type Planned, planStrategy } from "./plan-strategy.ts";

/** Creates the step that plans which deployments are asked, in which order. */
export function createAttemptsStep(
  snapshot: Pick<RoutingSnapshot, "health" | "slowAfterMs" | "isDifferent">,
  places: PlacesByModel,
): PlanStep {
  const { health, slowAfterMs, isDifferent } = snapshot;
  const planAt = (
    model: CatalogModel,
    at: readonly DeploymentTarget[],
    { check, candidates }: Pick<PlanDraft, "check" | "candidates">,
    { context, prefixKey, optimizationsFor }: RequestFacts,
  ): Planned => {
    const equal = withoutDifferent(model, at, isDifferent);
    // What a choice goes by is read only where there is one.
    const isOnly = equal.length < 2;
    return planStrategy({
      model,
      places: equal,
      health,
      streamed: context.streamed,
      check,
      candidates,
      optimizations: optimizationsFor(model),
      origin: isOnly ? undefined : context.origin(),
      prefixKey: isOnly ? undefined : prefixKey(model),
      slowAfterMs: isOnly ? undefined : slowAfterMs(model.name),
      random: createRandom(context.inferenceId),
    });
  };
  const planBase = (draft: PlanDraft, facts: RequestFacts): Planned =>
    planAt(facts.found.model, facts.found.places, draft, facts);
  const planModel = (model: CatalogModel, draft: PlanDraft, facts: RequestFacts): Planned =>
    model === facts.found.model
      ? planBase(draft, facts)
      : behind(planAt(model, places.get(model) ?? [], draft, facts), planBase(draft, facts));
  /** Asks several models at once, for the best of their answers; one that is named twice is asked twice. */
  const planSeveral = (
    { bestOfN: several = [], decision }: ModelChoice,
    draft: PlanDraft,
    facts: RequestFacts,
  ): Planned => {
    const selection = selectionFor(facts);
    const chosen = getCandidates(facts.input, facts.found.model, {
      judge: facts.judge,
      selection: selection && { ...selection, worths: getWorths(decision) },
    });
    const planned = [...Map.groupBy(several, (each) => each)].map(([each, { length: count }]) =>
      planAt(each, places.get(each) ?? [], { candidates: { ...chosen, count } }, facts),
    );
    return together(planned, planBase(draft, facts));
  };
  return (draft, facts) => {
    const { choice, candidates } = draft;
    const { model } = facts.found;
    if (choice === undefined) return { ...draft, planned: planBase(draft, facts) };
    if (candidates !== undefined) {
      // The best of several answers says nothing of one model; but a conversation goes on with the model that it is
      // under way with.
      const bound = choice.decision.kept === "conversation" ? choice.model : model;
      return { ...draft, planned: planModel(bound, draft, facts) };
    }
    if (choice.bestOfN !== undefined) return { ...draft, planned: planSeveral(choice, draft, facts) };
    return { ...draft, planned: planModel(choice.model, draft, facts) };
  };
}
