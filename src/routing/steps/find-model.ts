import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { DIRECTIVE_MARK, splitDirective } from "../../catalog/directive.ts";
import type { CatalogModel, ModelFamily } from "../../catalog/model.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import type { PlacesByModel } from "./fallback-models.ts";

/** The model that a request names, and where it is served. */
export interface Found {
  readonly model: CatalogModel;
  readonly places: readonly DeploymentTarget[];
  /** True if the request tells a sandbox what to do. */
  readonly isDirected: boolean;
}

/** The catalog, names of projects and sandboxes that models are looked for in. */
interface Known extends Pick<RoutingSnapshot, "aliasOf"> {
  readonly catalog: Catalog;
  /** Names of the upstreams that take test directives. */
  readonly sandboxes: ReadonlySet<string>;
}

/**
 * Finds the model that a request of a project names: as the catalog has it, else as the project calls it. Errors name
 * only models that `mayCall` allows; all if absent.
 */
type FindModel = (input: HubInput, projectId: string, mayCall?: (name: string) => boolean) => Found;

/**
 * Returns what finds the model that a request names. It throws where there is none, or it may not be called in its
 * format.
 */
export function createFinder(snapshot: Known, places: PlacesByModel): FindModel {
  return (input, projectId, mayCall = () => true) => {
    const { id, directive } = splitDirective(input.model);
    const { catalog, aliasOf } = snapshot;
    const model = catalog.find(id) ?? catalog.find(aliasOf?.(projectId, id) ?? "");
    if (model === undefined) throw unknownModel(input, catalog, mayCall);
    // What the caller may not call is refused by the limits.
    if (mayCall(model.name)) {
      checkRoute(model, input, { catalog, mayCall });
      checkEmbeds(model, input, { catalog, mayCall });
    }
    const all = places.get(model) ?? [];
    const isDirected = directive !== undefined;
    return { model, isDirected, places: isDirected ? onlySandboxes(all, snapshot, id) : all };
  };
}

/** Returns the names, with their prefix, of models that a caller may call. */
function getNames(catalog: Catalog, isListed: (name: string) => boolean): string[] {
  return catalog.models.filter(({ name }) => isListed(name)).map((model) => catalog.idOf(model));
}

/** Returns the error for a model that there is not; it names those that a caller may call. */
export function unknownModel(
  { model: id }: Pick<HubInput, "model">,
  catalog: Catalog,
  mayCall: (name: string) => boolean = () => true,
): InferenceError {
  const unserved = catalog.findUnserved(splitDirective(id).id);
  if (unserved !== undefined && mayCall(unserved.name)) {
    const message = `the model '${unserved.name}' is not served here: ${unserved.reason}`;
    return new InferenceError(ErrorReason.MODEL_NOT_FOUND, message, { param: "model" });
  }
  const known = getNames(catalog, mayCall);
  const hint = known.length === 0 ? "" : `; these do: ${known.join(", ")}`;
  return new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${id.slice(0, 128)}' does not exist here${hint}`, {
    param: "model",
  });
}

/** The formats that are routes, by the dialect of their requests, and the path of each. */
const ROUTES: ReadonlyMap<Dialect, ModelFamily> = new Map([
  [Dialect.CHAT, "chat"],
  [Dialect.RESPONSES, "responses"],
  [Dialect.MESSAGES, "messages"],
]);
const PATHS: Readonly<Record<ModelFamily, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

/** Any format takes any model, but for those that an operator has restricted. */
function checkRoute(
  model: CatalogModel,
  { dialect }: HubInput,
  { catalog, mayCall }: { readonly catalog: Catalog; readonly mayCall: (name: string) => boolean },
): void {
  const route = ROUTES.get(dialect);
  if (model.routes === undefined || route === undefined || model.routes.includes(route)) return;
  const usable = getNames(catalog, (name) => catalog.find(name)?.routes?.includes(route) !== false && mayCall(name));
  const hint = usable.length === 0 ? "no model does" : `these do: ${usable.join(", ")}`;
  const paths = model.routes.map((one) => PATHS[one]).join(" and ");
  throw new InferenceError(
    ErrorReason.MODEL_NOT_FOUND,
    `the model '${catalog.idOf(model)}' answers ${paths} alone here; ${PATHS[route]}: ${hint}`,
    { param: "model" },
  );
}

/** Models either answer or make embeddings. */
function checkEmbeds(
  model: CatalogModel,
  { embedding }: HubInput,
  { catalog, mayCall }: { readonly catalog: Catalog; readonly mayCall: (name: string) => boolean },
): void {
  const embeds = model.embeddings === true;
  if (embeds === (embedding !== undefined)) return;
  const id = catalog.idOf(model);
  if (embeds) throw InferenceError.invalid("model", `'${id}' makes embeddings alone: send them to /v1/embeddings`);
  const usable = getNames(catalog, (name) => catalog.find(name)?.embeddings === true && mayCall(name));
  const hint = usable.length === 0 ? "no model here does" : `these do: ${usable.join(", ")}`;
  throw InferenceError.invalid("model", `'${id}' makes no embeddings; ${hint}`);
}

/** A test directive must never reach a real model as part of its name. */
function onlySandboxes(
  places: readonly DeploymentTarget[],
  { sandboxes }: Known,
  id: string,
): readonly DeploymentTarget[] {
  const taking = places.filter(({ upstream }) => sandboxes.has(upstream.name));
  if (taking.length > 0) return taking;
  throw InferenceError.invalid(
    "model",
    `'${DIRECTIVE_MARK}...' directs the sandbox, which does not serve '${id}' here`,
  );
}
