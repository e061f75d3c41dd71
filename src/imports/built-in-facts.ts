import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import type { KnownModel } from "../catalog/known-model.ts";

/** A model's window and prices. */
export type ModelFacts = Partial<Pick<KnownModel, "contextWindow" | "maxInputTokens" | "maxOutputTokens" | "price">>;

/** Returns what the built-in catalogue knows of a model. */
export function builtInFacts(name: string): ModelFacts {
  const model = BUILT_IN_MODELS.find((built) => built.name === name);
  if (model === undefined) return {};
  const { contextWindow, maxInputTokens, maxOutputTokens, price } = model;
  return { contextWindow, maxInputTokens, maxOutputTokens, price };
}
