import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { DIRECTIVE_MARK, splitDirective } from "../catalog/directive.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { CatalogModel, Plan, Router, Upstream } from "../inference/ports.ts";
import type { HealthSnapshot } from "./health.ts";
import { type Place, planStrategy } from "./plan-strategy.ts";

/** What plans are made from. */
export interface RoutingSnapshot {
  readonly catalog: Catalog;
  /** Upstreams by their names in the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Names of the upstreams that take test directives. */
  readonly sandboxes: ReadonlySet<string>;
  readonly health: HealthSnapshot;
  /** The clock of the health watch, in milliseconds. */
  readonly now: () => number;
}

/** Creates a router that serves each model from its deployments. */
export function createRouter(snapshot: RoutingSnapshot): Router {
  const { health, now } = snapshot;
  const places = new Map(snapshot.catalog.models.map((model) => [model, placesOf(model, snapshot)]));
  const find = (input: InferenceInput): { readonly model: CatalogModel; readonly places: readonly Place[] } => {
    const { id, directive } = splitDirective(input.model);
    const model = snapshot.catalog.find(id);
    if (model === undefined) throw unknownModel(input.model, snapshot.catalog);
    checkFamily(model, input, snapshot.catalog);
    const all = places.get(model) ?? [];
    return { model, places: directive === undefined ? all : onlySandboxes(all, snapshot, id) };
  };
  return {
    modelOf: (input) => find(input).model,
    plan(input, context): Plan {
      const found = find(input);
      const origin = found.places.length < 2 ? undefined : context.origin();
      return { model: found.model, strategy: planStrategy({ ...found, origin, health, nowMs: now() }) };
    },
  };
}

function placesOf(model: CatalogModel, { upstreams }: RoutingSnapshot): readonly Place[] {
  return model.deployments.flatMap((deployment) => {
    const upstream = upstreams.get(deployment.upstream);
    return upstream === undefined ? [] : [{ upstream, deployment }];
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
function checkFamily(model: CatalogModel, input: InferenceInput, catalog: Catalog): void {
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
