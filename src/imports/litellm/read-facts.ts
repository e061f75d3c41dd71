import type { WrittenPrice } from "../../catalog/written-price.ts";
import type { ModelFacts } from "../built-in-facts.ts";
import type { SettingsView } from "../settings-view.ts";

const PRICES = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite5m: "cache_creation_input_token_cost",
} as const;

/**
 * Reads what `model_info`, or an entry of LiteLLM's own map of models, says of a model. Embeddings have no tokens of an
 * answer.
 */
export function readFacts(view: SettingsView, isEmbedding: boolean): ModelFacts {
  const [contextWindow, most, older] = ["max_input_tokens", "max_output_tokens", "max_tokens"].map((key) =>
    view.number(key),
  );
  const maxOutputTokens = isEmbedding ? 1 : (most ?? older);
  const price = readPrice(view, isEmbedding);
  const window = contextWindow ?? (isEmbedding ? older : undefined);
  return {
    ...(window !== undefined && { contextWindow: window }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(price !== undefined && { price }),
  };
}

/** Reads prices for each token, as USD per million tokens; undefined without one for prompts and one for answers. */
export function readPrice(view: SettingsView, isEmbedding: boolean): WrittenPrice | undefined {
  const price: { -readonly [Name in keyof typeof PRICES]?: number } = isEmbedding ? { output: 0 } : {};
  for (const name of ["input", "output", "cacheRead", "cacheWrite5m"] as const) {
    const usd = view.number(PRICES[name]);
    // Without the noise of binary fractions.
    if (usd !== undefined) price[name] = Math.round(usd * 1e12) / 1e6;
  }
  const { input, output, ...caches } = price;
  return input === undefined || output === undefined ? undefined : { input, output, ...caches };
}
