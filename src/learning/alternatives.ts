/** The models that may answer in place of another one: those at one of its upstreams, all, or these beside those. */
export type ModelScope = "upstream" | "any" | readonly string[];

/** A model of the catalog, with its places. */
interface PlacedModel {
  readonly name: string;
  readonly deployments: readonly { readonly upstream: string }[];
  /** True if it makes embeddings: it stands in for nobody, and nobody for it. */
  readonly embeddings?: boolean | undefined;
}

/**
 * Creates what names the models that may answer for a base, base among them, in the order of the catalog. A prompt
 * goes to a provider that its caller did not ask for only where the operator says so.
 */
export function createAlternatives(
  all: readonly PlacedModel[],
  scope: ModelScope,
): (base: string) => readonly string[] {
  const models = all.filter(({ embeddings }) => embeddings !== true);
  const apart = new Set(all.flatMap(({ name, embeddings }) => (embeddings === true ? [name] : [])));
  const names = models.map(({ name }) => name);
  if (scope === "any") return (base) => (apart.has(base) ? [base] : names);
  const opened = new Set(scope === "upstream" ? [] : scope);
  const known = new Map<string, readonly string[]>();
  return (base) => {
    if (apart.has(base)) return [base];
    const found = known.get(base);
    if (found !== undefined) return found;
    const upstreams = upstreamsOf(models.find(({ name }) => name === base));
    const isNear = (model: PlacedModel) => [...upstreamsOf(model)].some((upstream) => upstreams.has(upstream));
    const near = models.filter((model) => model.name === base || opened.has(model.name) || isNear(model));
    const listed = near.map(({ name }) => name);
    if (upstreams.size > 0) known.set(base, listed);
    return listed;
  };
}

/** Tells whether a model is served by these upstreams alone. */
export function isOnlyAt({ deployments }: Pick<PlacedModel, "deployments">, upstreams: ReadonlySet<string>): boolean {
  return deployments.every(({ upstream }) => upstreams.has(upstream));
}

function upstreamsOf(model: PlacedModel | undefined): ReadonlySet<string> {
  return new Set(model?.deployments.map(({ upstream }) => upstream));
}
