import type { CatalogModel, Deployment } from "./model.ts";
import type { PriceSet } from "./prices.ts";

/** The word of providers for the tier that costs less, and may be slow or find no room. */
export const FLEX_TIER = "flex";

/** Returns the prices of a model's flex tier at a place; undefined where they aren't lower, or it is switched off. */
export function findFlexPrice(
  { price: ofModel, optimizations }: Pick<CatalogModel, "price" | "optimizations">,
  deployment: Pick<Deployment, "price"> | undefined,
): PriceSet | undefined {
  const price = deployment?.price ?? ofModel;
  const flex = price?.tiers?.[FLEX_TIER];
  if (price === undefined || flex === undefined || optimizations?.flexTier === false) return undefined;
  const isCheaper =
    flex.input <= price.input && flex.output <= price.output && flex.input + flex.output < price.input + price.output;
  return isCheaper ? flex : undefined;
}
