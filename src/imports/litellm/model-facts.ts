import { BUILT_IN_MODELS } from "../../catalog/built-in.ts";
import type { PricePicos, TokenPrices } from "../../catalog/model.ts";
import { picosToUsdPerMillion } from "../../catalog/price.ts";
import type { SettingsView } from "../settings-view.ts";

/** Prices in USD per million tokens, as `attune.yaml` has them. */
type Price = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** What a model takes and costs. */
export interface ModelFacts {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly price?: Price;
}

const PRICES = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite5m: "cache_creation_input_token_cost",
} as const;

/** Reads what `model_info`, or an entry of LiteLLM's own map of models, says of a model. */
export function readFacts(view: SettingsView): ModelFacts {
  const [contextWindow, most, older] = ["max_input_tokens", "max_output_tokens", "max_tokens"].map((key) =>
    view.number(key),
  );
  const maxOutputTokens = most ?? older;
  const price = readPrice(view);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(price !== undefined && { price }),
  };
}

/** Reads prices for each token, as USD per million tokens; undefined without one for prompts and one for answers. */
export function readPrice(view: SettingsView): Price | undefined {
  const price: Record<string, number> = {};
  for (const [name, key] of Object.entries(PRICES)) {
    const usd = view.number(key);
    // Without the noise of binary fractions.
    if (usd !== undefined) price[name] = Math.round(usd * 1e12) / 1e6;
  }
  return "input" in price && "output" in price ? price : undefined;
}

/** Returns what the built-in catalogue knows of a model. */
export function builtInFacts(name: string): ModelFacts {
  const model = BUILT_IN_MODELS.find((built) => built.name === name);
  if (model === undefined) return {};
  const { contextWindow, maxOutputTokens, price } = model;
  return { contextWindow, maxOutputTokens, ...(price !== undefined && { price: inUsd(price) }) };
}

function inUsd({ longPrompt, ...prices }: PricePicos): Price {
  const usd = usdOf(prices);
  if (longPrompt === undefined) return usd;
  const { aboveTokens, ...long } = longPrompt;
  return { ...usd, longPrompt: { aboveTokens, ...usdOf(long) } };
}

function usdOf(prices: TokenPrices): Record<string, number> {
  return Object.fromEntries(Object.entries(prices).map(([name, picos]) => [name, picosToUsdPerMillion(picos)]));
}
