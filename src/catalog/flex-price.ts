import type { PricePicos, PriceSet } from "./prices.ts";

/** The word of providers for the tier that costs less, and may be slow or find no room. */
export const FLEX_TIER = "flex";

/** Returns the prices of the flex tier where they are lower than the others. */
export function findFlexPrice({ tiers, ...price }: PricePicos): PriceSet | undefined {
  const flex = tiers?.[FLEX_TIER];
  const isCheaper =
    flex !== undefined &&
    flex.input <= price.input &&
    flex.output <= price.output &&
    flex.input + flex.output < price.input + price.output;
  return isCheaper ? flex : undefined;
}
