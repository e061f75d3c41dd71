import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { pricedTokens, pricesFor } from "./cost.ts";
import type { PricePicos, TokenPrices } from "./model.ts";

/** The cost of one kind of tokens. */
interface CostLine {
  readonly kind: keyof TokenPrices;
  readonly tokens: number;
  /** Price of one token in pico-USD. */
  readonly pricePicos: number;
  /** Cost in pico-USD, in decimal digits: exact, whatever its size. */
  readonly costPicos: string;
}

/** True if the prices of long prompts applied, and the cost of each kind of tokens that there were. */
export interface CostLines {
  readonly isLongPrompt: boolean;
  readonly lines: readonly CostLine[];
}

/** Writes out line by line what costNanos() sums up. */
export function costLines(price: PricePicos, usage: Usage): CostLines {
  const tokens = pricedTokens(usage);
  const prices = pricesFor(price, tokens);
  const kinds = ["input", "cacheRead", "cacheWrite5m", "cacheWrite1h", "output"] as const;
  const lines = kinds
    .filter((kind) => tokens[kind] > 0)
    .map((kind) => ({
      kind,
      tokens: tokens[kind],
      pricePicos: prices[kind],
      costPicos: (BigInt(prices[kind]) * BigInt(tokens[kind])).toString(),
    }));
  return { isLongPrompt: prices !== price, lines };
}
