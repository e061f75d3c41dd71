const PICOS_PER_USD_PER_MILLION = 1_000_000;

/** Converts USD per million tokens to pico-USD per token, rounded to whole picos. */
export function usdPerMillionToPicos(usd: number): number {
  return Math.round(usd * PICOS_PER_USD_PER_MILLION);
}

/** Converts pico-USD per token to USD per million tokens. */
export function picosToUsdPerMillion(picos: number): number {
  return picos / PICOS_PER_USD_PER_MILLION;
}

/** Tells whether a price in USD per million tokens is a whole number of picos: it has six decimals at most. */
export function isWholePicos(usd: number): boolean {
  return usdPerMillionToPicos(usd) / PICOS_PER_USD_PER_MILLION === usd;
}
