import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import type { KnownModel } from "../catalog/known-model.ts";
import type { ModelLists } from "../catalog/lists/model-lists.ts";
import { openLists } from "../catalog/lists/open-lists.ts";

/** Windows, prices and thinking of a model. */
export type ModelFacts = Partial<
  Pick<KnownModel, "contextWindow" | "maxInputTokens" | "maxOutputTokens" | "thinking" | "price">
>;

/** The known facts of a model, and whether Attune says so itself. */
export interface KnownFacts {
  readonly facts: ModelFacts;
  readonly isBuiltIn: boolean;
}

let lists: ModelLists | undefined;

/** Providers by the names that other products give them, where the lists have others. */
const LISTED: Readonly<Record<string, string>> = {
  together_ai: "together",
  fireworks_ai: "fireworks",
  zai: "glm",
  vertex_ai: "vertex",
  gcp_vertex_gemini: "gemini",
};

/** Returns what the built-in catalog, or else the public lists, know of a model at a provider. */
export function knownFacts(provider: string, name: string): KnownFacts {
  const own = BUILT_IN_MODELS.find((built) => built.name === name);
  if (own !== undefined) return { facts: pick(own), isBuiltIn: true };
  // Beside the file that the import becomes.
  lists ??= openLists("attune.yaml", process.cwd());
  // Vertex AI has the maker before the names of its own models.
  const bare = name.replace(/^google\//, "");
  const found = lists.findSpelled([LISTED[provider] ?? provider], [bare]);
  return { facts: pick(found?.facts ?? {}), isBuiltIn: false };
}

function pick({ contextWindow, maxInputTokens, maxOutputTokens, thinking, price }: ModelFacts): ModelFacts {
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxInputTokens !== undefined && { maxInputTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(thinking !== undefined && thinking !== "adaptive" && { thinking }),
    ...(price !== undefined && { price }),
  };
}

/**
 * Puts facts of a list over those that are known. Its longest prompt is not the window where a larger one is known.
 */
export function mergeFacts(known: ModelFacts, listed: ModelFacts): ModelFacts {
  const merged = { ...known, ...listed };
  const { contextWindow: window } = known;
  const { contextWindow: prompt } = listed;
  if (window === undefined || prompt === undefined || prompt >= window) return merged;
  return { ...merged, contextWindow: window, maxInputTokens: prompt };
}
