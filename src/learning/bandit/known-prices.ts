/** Base may be free, or nearly. */
const MOST_KNOWN_PRICE = 1000;

/** Returns the known price of each arm; undefined of one without. */
export function knownPrices(
  arms: readonly string[],
  prices: Readonly<Record<string, number>>,
): readonly (number | undefined)[] {
  return arms.map((name) => {
    const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
    return price !== undefined && price >= 0 ? Math.min(MOST_KNOWN_PRICE, price) : undefined;
  });
}
