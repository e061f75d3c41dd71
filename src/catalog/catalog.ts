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
   * Finds a model by its id (attune/some-model), its name or one of its aliases, each with the prefix or without, or by
   * a spelling of its name that is no other model's.
   */
  find(name: string): CatalogModel | undefined;
  /** Finds a model that is known and not served, by its id or its name. */
  findUnserved(name: string): UnservedModel | undefined;
  /** Returns the id of a model: its name with the prefix. */
  idOf(model: CatalogModel): string;
}

/** Creates the catalog; names and aliases are unique. */
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
    const spelling = canonicalName(name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : name);
    return chooseSpelling(bySpelling.get(spelling.name) ?? [], spelling.date);
  };
  return {
    models,
    find: (name) => byName.get(name) ?? findSpelled(name),
    findUnserved: (name) => missing.get(name),
    idOf,
  };
}

/** A name of a model, by the day of its version. */
interface Spelling {
  readonly date: string;
  readonly model: CatalogModel;
}

function indexSpellings(models: readonly CatalogModel[]): ReadonlyMap<string, readonly Spelling[]> {
  const index = new Map<string, Spelling[]>();
  for (const model of models) {
    for (const { name, date } of [model.name, ...(model.aliases ?? [])].map(canonicalName)) {
      const spellings = index.get(name) ?? [];
      index.set(name, spellings);
      if (!spellings.some((known) => known.model === model && known.date === date)) spellings.push({ date, model });
    }
  }
  return index;
}

/** Chooses the one model of the day that is asked for; or the only model, unless both have a day, and another one. */
function chooseSpelling(spellings: readonly Spelling[], date: string): CatalogModel | undefined {
  const same = new Set(spellings.filter((one) => one.date === date).map(({ model }) => model));
  const all = new Set(spellings.map(({ model }) => model));
  const [first] = same.size > 0 ? same : all;
  if (same.size > 0) return same.size === 1 ? first : undefined;
  return all.size === 1 && (date === "" || spellings.every((one) => one.date === "")) ? first : undefined;
}
