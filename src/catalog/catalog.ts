import { canonicalName } from "./canonical-name.ts";
import type { CatalogModel } from "./model.ts";
import { MAX_MODEL_NAME } from "./model-name.ts";

/** A model that is known, and that nothing serves. */
export interface UnservedModel {
  readonly name: string;
  /** The reason and the remedy, as the end of a sentence about the model. */
  readonly reason: string;
}

/** The models that can be called. */
export interface Catalog {
  /** Models in the order of the configuration. */
  readonly models: readonly CatalogModel[];
  /**
   * Finds a model by its id (attune/some-model), its name or one of its aliases, each with the prefix or without, or by a
   * spelling of its name that is no other model's.
   */
  find(name: string): CatalogModel | undefined;
  /** Finds a model that is known and not served, by its id or its name. */
  findUnserved(name: string): UnservedModel | undefined;
  /** Returns the id of a model: its name with the prefix. */
  idOf(model: CatalogModel): string;
}

/** Creates the catalogue; names and aliases are unique. */
export function createCatalog(
  models: readonly CatalogModel[],
  prefix: string,
  unserved: readonly UnservedModel[] = [],
): Catalog {
  const missing = new Map(unserved.flatMap((one) => [one.name, `${prefix}/${one.name}`].map((name) => [name, one])));
  const idOf = (model: CatalogModel): string => `${prefix}/${model.name}`;
  const byName = new Map(
    models.flatMap((model) =>
      [model.name, ...(model.aliases ?? [])].flatMap((name) => [
        [name, model] as const,
        [`${prefix}/${name}`, model] as const,
      ]),
    ),
  );
  const bySpelling = indexSpellings(models);
  const findSpelled = (name: string): CatalogModel | undefined => {
    if (name.length > MAX_MODEL_NAME) return undefined;
    return bySpelling.get(canonicalName(name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : name));
  };
  return {
    models,
    find: (name) => byName.get(name) ?? findSpelled(name),
    findUnserved: (name) => missing.get(name),
    idOf,
  };
}

/** Spellings that are of one model alone lead to it: dates and versions of several do not. */
function indexSpellings(models: readonly CatalogModel[]): ReadonlyMap<string, CatalogModel> {
  const index = new Map<string, CatalogModel | undefined>();
  for (const model of models) {
    const names = new Set([model.name, ...(model.aliases ?? [])].map(canonicalName));
    for (const name of names) index.set(name, index.has(name) ? undefined : model);
  }
  return new Map([...index].flatMap(([name, model]) => (model === undefined ? [] : [[name, model] as const])));
}
