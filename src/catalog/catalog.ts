import type { CatalogModel } from "./model.ts";

/** The models that can be called. */
export interface Catalog {
  /** Models in the order of the configuration. */
  readonly models: readonly CatalogModel[];
  /** Finds a model by its id (attune/some-model), its name or one of its aliases, each with the prefix or without. */
  find(name: string): CatalogModel | undefined;
  /** Returns the id of a model: its name with the prefix. */
  idOf(model: CatalogModel): string;
}

/** Creates the catalogue; names and aliases are unique. */
export function createCatalog(models: readonly CatalogModel[], prefix: string): Catalog {
  const idOf = (model: CatalogModel): string => `${prefix}/${model.name}`;
  const byName = new Map(
    models.flatMap((model) =>
      [model.name, ...(model.aliases ?? [])].flatMap((name) => [
        [name, model] as const,
        [`${prefix}/${name}`, model] as const,
      ]),
    ),
  );
  return { models, find: (name) => byName.get(name), idOf };
}
