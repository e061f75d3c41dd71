import { isModelName, MODEL_NAME_RULE } from "./model-name.ts";

/** Most names of its own that a project has for models. */
export const MAX_ALIASES = 1000;

/** A name of a project's own for a model. */
interface Alias {
  readonly name: string;
  readonly model: string;
}

/** The catalogue's name of the model, or the problem of one of the two names. */
type ResolvedAlias = { readonly model: string } | { readonly wrong: keyof Alias; readonly problem: string };

/** Finds the model that a project is to have another name for, unless the name is not to be had. */
export function resolveAlias({ name, model }: Alias, modelOf: (name: string) => string | undefined): ResolvedAlias {
  if (!isModelName(name)) return { wrong: "name", problem: MODEL_NAME_RULE };
  if (modelOf(name) !== undefined) {
    return { wrong: "name", problem: "is a name that the catalogue has for every project: choose another name" };
  }
  const found = modelOf(model);
  if (found !== undefined) return { model: found };
  return { wrong: "model", problem: "is no model of the catalogue: GET /v1/models lists them" };
}
