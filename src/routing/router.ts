import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { DIRECTIVE_MARK, splitDirective } from "../catalog/directive.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type {
  CachedParts,
  CatalogModel,
  Optimizations,
  Origin,
  Plan,
  PlanContext,
  Router,
  Upstream,
} from "../inference/ports.ts";
import type { WorkloadBook } from "../learning/workload.ts";
import type { HubInput } from "../lib/hub-input.ts";
import { type CachedPartsFacts, cachedPartsOf } from "./cached-parts.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
import { PromptFamilies } from "./families/prompt-family.ts";
import { hashTexts, randomOf } from "./hash.ts";
import type { Place } from "./place.ts";
import type { HealthSnapshot } from "./place-watch.ts";
import { type Planned, planStrategy, toAttempt } from "./plan-strategy.ts";
import { prefixKeyOf } from "./prefix-key.ts";
import { relativePrices } from "./relative-prices.ts";
import type { ReuseWatch } from "./reuse-watch.ts";
import { behind, createFitting, createStandIns } from "./stand-ins.ts";
import { twinKeyOf } from "./twin-key.ts";

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
  /** Takes a call beyond the first one for an inference, if one is left. */
  readonly mayBegin: Router["mayBegin"];
}

/** The model that a request names, and where it is served. */
interface Found {
  readonly model: CatalogModel;
  readonly places: readonly Place[];
  /** Whether the request tells a sandbox what to do. */
  readonly isDirected: boolean;
}

const ALL: Optimizations = { choice: true, failover: true, hedging: true, coalescing: true, cacheMarks: true };
const NONE: Optimizations = { choice: false, failover: false, hedging: false, coalescing: false, cacheMarks: false };

/** Creates a router that serves each model from its deployments. */
export function createRouter(snapshot: RoutingSnapshot): Router {
  const { health, slowAfterMs, mayBegin, reuse } = snapshot;
  const arrived: CachedPartsFacts["arrived"] = (arrival) => reuse.arrived(arrival);
  const places = new Map(snapshot.catalog.models.map((model) => [model, placesOf(model, snapshot)]));
  const families = new PromptFamilies();
  const find = (input: HubInput): Found => {
    const { id, directive } = splitDirective(input.model);
    const model = snapshot.catalog.find(id);
    if (model === undefined) throw unknownModel(input.model, snapshot.catalog);
    checkFamily(model, input, snapshot.catalog);
    const all = places.get(model) ?? [];
    const isDirected = directive !== undefined;
    return { model, isDirected, places: isDirected ? onlySandboxes(all, snapshot, id) : all };
  };
  const standIns = createStandIns(places, snapshot.sandboxes);
  /** Who answers, where something is learned and more than one model may. */
  const choose = (input: HubInput, { model, isDirected }: Found, context: PlanContext): ModelChoice | undefined => {
    if (input.plain || isDirected || !context.isAnswered) return undefined;
    const key = { projectId: context.principal.projectId, model: model.name };
    const workload = standIns.areAny(model) ? snapshot.workloads?.find(key) : undefined;
    if (workload === undefined) return undefined;
    return chooseModel({
      base: model,
      workload,
      family: families.of(input, workload.state.families),
      context,
      seed: hashTexts(context.inferenceId, "model"),
      find: standIns.finder(model),
      fits: createFitting(input, model, { places, context }),
    });
  };
  const planAt = (model: CatalogModel, at: readonly Place[], input: HubInput, context: PlanContext): Planned => {
    const equal = withoutDifferent(model, at, snapshot.isDifferent);
    // What a choice goes by is read only where there is one.
    const isOnly = equal.length < 2;
    return planStrategy({
      model,
      places: equal,
      health,
      streamed: context.streamed,
      optimizations: optimizationsOf(model, input),
      origin: isOnly ? undefined : context.origin(),
      prefixKey: isOnly ? undefined : prefixKeyOf(input, model, context.principal.projectId),
      slowAfterMs: isOnly ? undefined : slowAfterMs(model.name),
      random: randomOf(context.inferenceId),
    });
  };
  const planFor = (input: HubInput, context: PlanContext): Plan => {
    const found = find(input);
    const { model } = found;
    const choice = choose(input, found, context);
    const [first] = found.places;
    const asked = { model, ...(first !== undefined && { plain: toAttempt(first, model, 1) }) };
    const own = (): Planned => planAt(model, found.places, input, context);
    if (choice === undefined) return { ...asked, ...own() };
    const { decision } = choice;
    if (choice.model === model) return { ...asked, ...own(), decision };
    return {
      ...asked,
      ...behind(planAt(choice.model, places.get(choice.model) ?? [], input, context), own()),
      decision,
    };
  };
  /** Asked for once for each answer, since it takes note of the prompt. */
  const cachedParts = (input: HubInput, plan: Plan, { principal }: PlanContext): CachedParts | undefined => {
    const taking = plan.strategy.attempts.find(({ upstream }) => upstream.takesCacheMarks === true);
    if (taking === undefined || !optimizationsOf(plan.model, input).cacheMarks) return undefined;
    return cachedPartsOf(input, { model: taking.model, projectId: principal.projectId, arrived });
  };
  return {
    modelOf: (input) => find(input).model,
    mayBegin,
    twinKey(input, context): string | undefined {
      const { coalescing } = optimizationsOf(find(input).model, input);
      return coalescing ? twinKeyOf(input, context) : undefined;
    },
    plan(input, context): Plan {
      const plan = planFor(input, context);
      const parts = context.isAnswered ? cachedParts(input, plan, context) : undefined;
      return parts === undefined ? plan : { ...plan, cachedParts: parts };
    },
  };
}

function optimizationsOf({ optimizations = ALL }: CatalogModel, { plain }: HubInput): Optimizations {
  return plain ? NONE : optimizations;
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

function unknownModel(id: string, catalog: Catalog): InferenceError {
  const known = catalog.models.map((model) => catalog.idOf(model)).join(", ");
  return new InferenceError(
    ErrorReason.MODEL_NOT_FOUND,
    `the model '${id.slice(0, 128)}' does not exist here; these do: ${known}`,
    { param: "model" },
  );
}

/** The Messages format takes the models that are native to it; the other two take any. */
function checkFamily(model: CatalogModel, input: HubInput, catalog: Catalog): void {
  if (input.dialect !== Dialect.MESSAGES || model.family === "messages") return;
  const usable = catalog.models.filter(({ family }) => family === "messages").map((other) => catalog.idOf(other));
  const hint = usable.length === 0 ? "none here is" : `these are: ${usable.join(", ")}`;
  throw new InferenceError(
    ErrorReason.MODEL_NOT_FOUND,
    `the model '${catalog.idOf(model)}' is not of the Messages family, which /v1/messages serves; ${hint}`,
    { param: "model" },
  );
}

/** A test directive must never reach a real model as part of its name. */
function onlySandboxes(places: readonly Place[], { sandboxes }: RoutingSnapshot, id: string): readonly Place[] {
  const taking = places.filter(({ upstream }) => sandboxes.has(upstream.name));
  if (taking.length > 0) return taking;
  throw InferenceError.invalid(
    "model",
    `'${DIRECTIVE_MARK}...' directs the sandbox, which does not serve '${id}' here`,
  );
}
