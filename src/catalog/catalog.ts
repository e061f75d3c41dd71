import type { CatalogModel } from "./model.ts";

/** The models that can be called. */
export interface Catalog {
  /** Models in the order of the configuration. */
  readonly models: readonly CatalogModel[];
  /** Finds a model by its id: attune/some-model. */
  find(id: string): CatalogModel | undefined;
  /** Returns the id of a model: its name with the prefix. */
  idOf(model: CatalogModel): string;
}

/** Creates the catalogue; names are unique. */
export function createCatalog(models: readonly CatalogModel[], prefix: string): Catalog {
  const idOf = (model: CatalogModel): string => `${prefix}/${model.name}`;
  const byId = new Map(models.map((model) => [idOf(model), model]));
  return { models, find: (id) => byId.get(id), idOf };
}
