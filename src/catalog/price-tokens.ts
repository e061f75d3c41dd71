import type { Catalog } from "./catalog.ts";
import { costOfTokens } from "./cost.ts";
import { type FLEX_TIER, findFlexPrice } from "./flex-price.ts";

/**
 * Creates what prices tokens at a model where it is asked first, in nano-USD; undefined where no price is known. In the
 * tier `flex` it is the price of that where the upstream takes it and it is cheaper.
 */
export function createTokenPrices(
  catalog: () => Pick<Catalog, "find">,
  takesFlexTier: (upstream: string) => boolean = () => false,
) {
  return (
    name: string,
    tokens: { readonly input: number; readonly output: number },
    tier?: typeof FLEX_TIER,
  ): number | undefined => {
    const model = catalog().find(name);
    const [deployment] = model?.deployments ?? [];
    const price = deployment?.price ?? model?.price;
    if (price === undefined) return undefined;
    const isFlex = tier !== undefined && deployment !== undefined && takesFlexTier(deployment.upstream);
    const isOff = model?.optimizations?.flexTier === false;
    return costOfTokens((isFlex && !isOff ? findFlexPrice(price) : undefined) ?? price, tokens);
  };
}
