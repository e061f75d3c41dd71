import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import type { PricePicos, TokenPrices } from "../catalog/model.ts";
import { picosToUsdPerMillion } from "../catalog/price.ts";

/** Prices in USD per million tokens, as `attune.yaml` has them. */
type Price = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** A model's window and prices. */
export interface ModelFacts {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly price?: Price;
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
