import { arrayAt, at, textAt } from "./formats/json.ts";

/** A model that can be called. */
export interface PlaygroundModel {
  readonly id: string;
  readonly name: string;
  /** The format that is the model's own: chat, responses or messages. */
  readonly family: string;
  readonly purpose: string;
}

/** Reads the models of a catalog that answer: those that make embeddings refuse what the playground sends. */
export function readModels(catalog: unknown): PlaygroundModel[] {
  return arrayAt(catalog, "data")
    .filter((model) => at(model, "embeddings") !== true)
    .map((model) => ({
      id: textAt(model, "id"),
      name: textAt(model, "display_name"),
      family: textAt(model, "family"),
      purpose: textAt(model, "purpose"),
    }));
}
