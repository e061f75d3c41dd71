import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { PricePicos, TokenPrices } from "./model.ts";

const PICOS_PER_NANO = 1000;

/** Counts of tokens that have a price of their own. */
type PricedTokens = Readonly<Record<keyof TokenPrices, number>>;

/**
 * Returns the cost of an inference in nano-USD: exact sums, rounded half up once at the end. Cache writes whose
 * lifetime is not known are priced as those of five minutes.
 */
export function costNanos(price: PricePicos, usage: Usage): number {
  const tokens = pricedTokens(usage);
  return sumNanos(pricesFor(price, tokens), tokens);
}

/** Returns the cost of so many tokens in nano-USD, none of which a cache holds. */
export function costOfTokens(price: PricePicos, { input, output }: Pick<PricedTokens, "input" | "output">): number {
  const tokens = { input, output, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  return sumNanos(pricesFor(price, tokens), tokens);
}

/** Returns what it would have cost in nano-USD if no cache had held or kept anything of the prompt. */
export function uncachedCostNanos(price: PricePicos, usage: Usage): number {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = pricedTokens(usage);
  const prompt = input + cacheRead + cacheWrite5m + cacheWrite1h;
  return costOfTokens(price, { input: prompt, output });
}

/** Returns the tokens of each kind that has a price of its own. */
export function pricedTokens(usage: Usage): PricedTokens {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadTokens,
    cacheWrite5m: Math.max(usage.cacheWrite5mTokens, usage.cacheWriteTokens - usage.cacheWrite1hTokens),
    cacheWrite1h: usage.cacheWrite1hTokens,
  };
}

/** Returns the prices that hold for a prompt of that size. */
export function pricesFor(price: PricePicos, tokens: PricedTokens): TokenPrices {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  const { longPrompt } = price;
  return longPrompt !== undefined && prompt > longPrompt.aboveTokens ? longPrompt : price;
}

function sumNanos(prices: TokenPrices, tokens: PricedTokens): number {
  const kinds = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;
  let picos = 0;
  for (const kind of kinds) picos += prices[kind] * tokens[kind];
  // All terms are whole and not negative, so a sum that is a safe integer is exact.
  if (Number.isSafeInteger(picos)) {
    const rest = picos % PICOS_PER_NANO;
    return (picos - rest) / PICOS_PER_NANO + (rest * 2 >= PICOS_PER_NANO ? 1 : 0);
  }
  let exact = 0n;
  for (const kind of kinds) exact += BigInt(prices[kind]) * BigInt(tokens[kind]);
  return Number((exact + BigInt(PICOS_PER_NANO / 2)) / BigInt(PICOS_PER_NANO));
}
