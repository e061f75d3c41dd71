import type { Catalog } from "../catalog/catalog.ts";
import { DEFAULT_OPTIMIZATIONS, OPTIMIZATION_NAMES, withoutOptimizations } from "../catalog/model.ts";
import type {
  CachedParts,
  CatalogModel,
  CheckAnswer,
  Optimizations,
  Origin,
  Plan,
  PlanContext,
  Router,
  Twins,
  Upstream,
} from "../inference/ports.ts";
import type { LearnedWorkload, WorkloadBook } from "../learning/workload.ts";
import type { HubInput } from "../lib/hub-input.ts";
import { type CachedPartsFacts, cachedPartsOf } from "./cached-parts.ts";
import { asksForSeveral, candidatesOf, checkCandidates, selectionOf } from "./candidates/asked-candidates.ts";
import type { Selection } from "./candidates/selection.ts";
import { ANSWERS_OF_TRIAL, isTrial } from "./candidates/trial.ts";
import { unaskedFor } from "./candidates/unasked.ts";
import { askedForm } from "./checks/asked-form.ts";
import { checkAnswer } from "./checks/check-answer.ts";
import type { JudgeTexts } from "./checks/check-thread.ts";
import { chooseModel, type ModelChoice, worthsOf } from "./choose-model.ts";
import { PromptFamilies } from "./families/prompt-family.ts";
import { promptTextOf } from "./families/prompt-text.ts";
import { createFinder, type Found } from "./find-model.ts";
import { hashTexts, randomOf } from "./hash.ts";
import type { Place } from "./place.ts";
import type { HealthSnapshot } from "./place-watch.ts";
import { type Candidates, type Planned, planStrategy, toAttempt } from "./plan-strategy.ts";
import { partName } from "./policy/part-name.ts";
import { cacheKeyOf, prefixKeyOf } from "./prefix-key.ts";
import { relativePrices } from "./relative-prices.ts";
import type { ReuseWatch } from "./reuse-watch.ts";
import { behind, createFitting, createStandIns, together } from "./stand-ins.ts";
import { keptKeyOf, twinKeyOf } from "./twin-key.ts";

/** What plans are made from. */
export interface RoutingSnapshot {
  readonly catalog: Catalog;
  /** Upstreams by their names in the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Names of the upstreams that take test directives. */
  readonly sandboxes: ReadonlySet<string>;
  readonly health: HealthSnapshot;
  /** Returns the milliseconds after which a silent stream of a model is a slow one; undefined if that is not known. */
  readonly slowAfterMs: (model: string) => number | undefined;
  /** What was learned of workloads; without it, every model answers for itself. */
  readonly workloads?: WorkloadBook | undefined;
  readonly reuse: ReuseWatch;
  /** Tells whether a place has proved to serve another model than it is declared to, so that it is not asked; absent: none has. */
  readonly isDifferent?: ((model: string, place: Origin) => boolean) | undefined;
  /** Names of the optimisations that a project has switched off. */
  readonly optimizationsOff: (projectId: string) => ReadonlySet<string>;
  /** Takes a call beyond the first one for an inference, if one is left. */
  readonly mayBegin: Router["mayBegin"];
  /** Holds answers against schemas, and has webhooks asked; absent: no answer is checked. */
  readonly judge?: JudgeTexts | undefined;
}

/** Names the cluster of a family that a prompt is of, where there are any. */
function partOf(family: string, input: HubInput, { clusters }: LearnedWorkload): string {
  const known = clusters.get(family);
  if (known === undefined) return family;
  const cluster = known.clusters.find(promptTextOf(input));
  return partName({ whole: family, generation: known.generation, cluster });
}

/** What a plan is made for. */
interface Asked {
  readonly input: HubInput;
  readonly context: PlanContext;
  /** What prompts have in common that begin alike, where a model's cache may hold them. */
  readonly prefixKey: (model: CatalogModel) => number | undefined;
  /** What the answer has to pass, whichever model gives it. */
  readonly check: CheckAnswer | undefined;
  /** How one of several answers is chosen; undefined where one is asked for. */
  readonly candidates: Candidates | undefined;
}

const ALL_NAMES: ReadonlySet<string> = new Set(OPTIMIZATION_NAMES);

/** Creates a router that serves each model from its deployments. */
export function createRouter(snapshot: RoutingSnapshot): Router {
  const { health, slowAfterMs, mayBegin, reuse } = snapshot;
  const arrived: CachedPartsFacts["arrived"] = (arrival) => reuse.arrived(arrival);
  const places = new Map(snapshot.catalog.models.map((model) => [model, placesOf(model, snapshot)]));
  const families = new PromptFamilies();
  const find = createFinder(snapshot, places);
  /** What may be done for a request: by the configuration, but for what its project or the caller has switched off. */
  const optimizationsOf = (model: CatalogModel, { plain }: HubInput, projectId: string): Optimizations => {
    const { optimizations = DEFAULT_OPTIMIZATIONS } = model;
    return withoutOptimizations(optimizations, plain ? ALL_NAMES : snapshot.optimizationsOff(projectId));
  };
  const standIns = createStandIns(places, snapshot.sandboxes);
  /** Who answers, where something is learned and more than one model may. */
  const choose = (input: HubInput, { model, isDirected }: Found, context: PlanContext): ModelChoice | undefined => {
    if (input.plain || isDirected || !context.isAnswered) return undefined;
    const key = { projectId: context.principal.projectId, model: model.name };
    const isOnly = !standIns.areAny(model) && (model.candidates?.learned ?? "off") === "off";
    const workload = isOnly ? undefined : snapshot.workloads?.find(key);
    if (workload === undefined) return undefined;
    return chooseModel({
      base: model,
      workload,
      family: partOf(families.of(input, workload.state.families), input, workload),
      context,
      seed: hashTexts([context.inferenceId, "model"]),
      find: standIns.finder(model),
      fits: createFitting(input, model, { places, context }),
      maySeveral: unaskedFor({
        ...{ input, model, context, workload },
        // To ask once more where a check fails is cheaper, and as right.
        isJudged: () => snapshot.judge !== undefined && checkOf(input, model, context) === undefined,
      }),
    });
  };
  /** How what was learned takes part in the choice among several answers. */
  const selectionFor = (input: HubInput, { model, isDirected }: Found, context: PlanContext): Selection | undefined => {
    if (input.plain || isDirected) return undefined;
    const key = { projectId: context.principal.projectId, model: model.name };
    return selectionOf(snapshot.workloads?.find(key), context.inferenceId);
  };
  const candidatesFor = (input: HubInput, found: Found, context: PlanContext): Candidates => {
    const { judge } = snapshot;
    return candidatesOf(input, found.model, { judge, selection: selectionFor(input, found, context) });
  };
  /** Several answers that nobody asked for, to measure what was learned; undefined for nearly all requests. */
  const trialFor = (input: HubInput, found: Found, context: PlanContext): Candidates | undefined => {
    const { model, isDirected } = found;
    if (model.candidates === undefined || isDirected) return undefined;
    const key = { projectId: context.principal.projectId, model: model.name };
    const random = randomOf(`${context.inferenceId} trial`);
    if (!isTrial({ input, model, context, find: () => snapshot.workloads?.find(key), random })) return undefined;
    const selection = selectionFor(input, found, context);
    const { judge } = snapshot;
    return candidatesOf(input, model, {
      ...{ judge, count: ANSWERS_OF_TRIAL },
      selection: selection && { ...selection, isTrial: true },
    });
  };
  /** What the answer has to pass before it is given; undefined where nothing can be checked, or nothing is to be. */
  const checkOf = (input: HubInput, model: CatalogModel, context: PlanContext): CheckAnswer | undefined => {
    const { judge } = snapshot;
    if (judge === undefined || !context.isAnswered || input.compact) return undefined;
    const { checkedRetry } = optimizationsOf(model, input, context.principal.projectId);
    if (checkedRetry === "off" || (context.streamed && checkedRetry === "whole")) return undefined;
    const form = askedForm(input, model.checks);
    if (form === undefined || (context.streamed && !form.isStructured)) return undefined;
    return (answer, signal) => checkAnswer(answer, form, (texts) => judge(texts, signal));
  };
  const planAt = (model: CatalogModel, at: readonly Place[], asked: Asked): Planned => {
    const { input, context, prefixKey, check, candidates } = asked;
    const equal = withoutDifferent(model, at, snapshot.isDifferent);
    // What a choice goes by is read only where there is one.
    const isOnly = equal.length < 2;
    return planStrategy({
      model,
      places: equal,
      health,
      streamed: context.streamed,
      check,
      candidates,
      optimizations: optimizationsOf(model, input, context.principal.projectId),
      origin: isOnly ? undefined : context.origin(),
      prefixKey: isOnly ? undefined : prefixKey(model),
      slowAfterMs: isOnly ? undefined : slowAfterMs(model.name),
      random: randomOf(context.inferenceId),
    });
  };
  /** Asks several models at once, for the best of their answers; one that is named twice is asked twice. */
  const planSeveral = ({ several = [], decision }: ModelChoice, asked: Asked, found: Found): Planned => {
    const { input, context } = asked;
    const { judge } = snapshot;
    const selection = selectionFor(input, found, context);
    const chosen = candidatesOf(input, found.model, {
      judge,
      selection: selection && { ...selection, worths: worthsOf(decision) },
    });
    const planned = [...Map.groupBy(several, (each) => each)].map(([each, { length: count }]) =>
      planAt(each, places.get(each) ?? [], { ...asked, check: undefined, candidates: { ...chosen, count } }),
    );
    return together(planned, planAt(found.model, found.places, asked));
  };
  const planFor = (asked: Asked, found: Found): Plan => {
    const { input, context } = asked;
    const { model } = found;
    const choice = choose(input, found, context);
    const [first] = found.places;
    const planned = { model, ...(first !== undefined && { plain: toAttempt(first, model, 1) }) };
    const own = (): Planned => planAt(model, found.places, asked);
    if (choice === undefined) return { ...planned, ...own() };
    const { decision } = choice;
    if (asked.candidates !== undefined) {
      // Nothing is learned of it, since the best of several says nothing of one; but a conversation goes on with the model that it is under way with.
      const bound = decision.kept === "conversation" ? choice.model : model;
      if (bound === model) return { ...planned, ...own() };
      return { ...planned, ...behind(planAt(bound, places.get(bound) ?? [], asked), own()) };
    }
    if (choice.several !== undefined) return { ...planned, ...planSeveral(choice, asked, found), decision };
    if (choice.model === model) return { ...planned, ...own(), decision };
    return {
      ...planned,
      ...behind(planAt(choice.model, places.get(choice.model) ?? [], asked), own()),
      decision,
    };
  };
  /** Asked for once for each answer, since it takes note of the prompt. */
  const cachedParts = (input: HubInput, plan: Plan, { principal }: PlanContext): CachedParts | undefined => {
    const taking = plan.strategy.attempts.find(({ upstream }) => upstream.takesCacheMarks === true);
    const { projectId } = principal;
    if (taking === undefined || !optimizationsOf(plan.model, input, projectId).cacheMarks) return undefined;
    return cachedPartsOf(input, { model: taking.model, projectId, arrived });
  };
  const cacheKey = ({ input, context, prefixKey }: Asked, plan: Plan): string | undefined => {
    const taking = plan.strategy.attempts.find(({ upstream }) => upstream.takesCacheKeys === true);
    const { projectId } = context.principal;
    if (taking === undefined || !optimizationsOf(plan.model, input, projectId).cacheKeys) return undefined;
    const key = isNamed(input) ? undefined : prefixKey(taking.model);
    return key === undefined ? undefined : cacheKeyOf(key, projectId);
  };
  return {
    modelOf(input) {
      const { model } = find(input);
      checkCandidates(input, model);
      return model;
    },
    mayBegin,
    twins(input, context): Twins | undefined {
      // Who asks for several wants them made.
      if (asksForSeveral(input)) return undefined;
      const { model, places: at } = find(input);
      const { coalescing, replay } = optimizationsOf(model, input, context.projectId);
      const key = coalescing || replay !== undefined ? twinKeyOf(input, context) : undefined;
      if (key === undefined) return undefined;
      const asked = withoutDifferent(model, at, snapshot.isDifferent).map(({ deployment }) => deployment);
      const kept = replay && { key: keptKeyOf(key, input, asked), ttlMs: replay.ttlSeconds * 1000 };
      return { sharedKey: coalescing ? key : undefined, kept };
    },
    plan(input, context): Plan {
      const found = find(input);
      const made = asksForSeveral(input) ? candidatesFor : trialFor;
      const candidates = context.isAnswered ? made(input, found, context) : undefined;
      const check = candidates === undefined ? checkOf(input, found.model, context) : undefined;
      const asked = { input, context, prefixKey: prefixKeysOf(input, context), check, candidates };
      const plan = planFor(asked, found);
      if (!context.isAnswered) return plan;
      return { ...plan, cachedParts: cachedParts(input, plan, context), cacheKey: cacheKey(asked, plan) };
    },
  };
}

/** Returns what gives the prefix key of a request for a model, and computes each but once. */
function prefixKeysOf(input: HubInput, { principal }: PlanContext): Asked["prefixKey"] {
  const known = new Map<CatalogModel, number | undefined>();
  return (model) => {
    if (!known.has(model)) known.set(model, prefixKeyOf(input, model, principal.projectId));
    return known.get(model);
  };
}

/** Whether the caller names the prompt for a cache: by a key, or by the end user, which was the key before there were keys. */
function isNamed({ promptCacheKey, extension }: HubInput): boolean {
  return promptCacheKey !== undefined || extension?.json.includes('"user"') === true;
}

/** The first place stays: what others are compared with. */
function withoutDifferent(
  { name }: CatalogModel,
  places: readonly Place[],
  isDifferent: RoutingSnapshot["isDifferent"],
): readonly Place[] {
  if (isDifferent === undefined || places.length < 2) return places;
  const isEqual = ({ upstream, deployment }: Place, position: number): boolean =>
    position === 0 || !isDifferent(name, { upstream: upstream.name, model: deployment.model });
  return places.every(isEqual) ? places : places.filter(isEqual);
}

function placesOf(model: CatalogModel, { upstreams }: RoutingSnapshot): readonly Place[] {
  const prices = relativePrices(model);
  return model.deployments.flatMap((deployment, index) => {
    const upstream = upstreams.get(deployment.upstream);
    return upstream === undefined ? [] : [{ upstream, deployment, relativePrice: prices[index] ?? 1 }];
  });
}
