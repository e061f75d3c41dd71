import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { DIRECTIVE_MARK, splitDirective } from "../catalog/directive.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { CatalogModel, Optimizations, Plan, Router, Upstream } from "../inference/ports.ts";
import { randomOf } from "./hash.ts";
import type { Place } from "./place.ts";
import type { HealthSnapshot } from "./place-watch.ts";
import { planStrategy } from "./plan-strategy.ts";
import { prefixKeyOf } from "./prefix-key.ts";
import { relativePrices } from "./relative-prices.ts";
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
  /** Takes a call beyond the first one for an inference, if one is left. */
  readonly mayBegin: Router["mayBegin"];
}

const ALL: Optimizations = { choice: true, failover: true, hedging: true, coalescing: true };
const NONE: Optimizations = { choice: false, failover: false, hedging: false, coalescing: false };

/** Creates a router that serves each model from its deployments. */
export function createRouter(snapshot: RoutingSnapshot): Router {
  const { health, slowAfterMs, mayBegin } = snapshot;
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
    mayBegin,
    twinKey(input, context): string | undefined {
      const { coalescing } = optimizationsOf(find(input).model, input);
      return coalescing ? twinKeyOf(input, context) : undefined;
    },
    plan(input, context): Plan {
      const { model, places } = find(input);
      // What a choice goes by is read only where there is one.
      const isOnly = places.length < 2;
      const planned = planStrategy({
        model,
        places,
        health,
        streamed: context.streamed,
        optimizations: optimizationsOf(model, input),
        origin: isOnly ? undefined : context.origin(),
        prefixKey: isOnly ? undefined : prefixKeyOf(input, model, context.principal.projectId),
        slowAfterMs: isOnly ? undefined : slowAfterMs(model.name),
        random: randomOf(context.inferenceId),
      });
      return { model, ...planned };
    },
  };
}

function optimizationsOf({ optimizations = ALL }: CatalogModel, { plain }: InferenceInput): Optimizations {
  return plain ? NONE : optimizations;
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
