import type { Catalog } from "../catalog/catalog.ts";
import { costOfTokens } from "../catalog/cost.ts";
import { type FLEX_TIER, findFlexPrice } from "../catalog/flex-price.ts";
import type { Config } from "./config.ts";

/** The configuration that holds, and the catalog that it makes. */
interface Configured {
  readonly catalog: Pick<Catalog, "find">;
  readonly config: Pick<Config, "upstreams">;
}

/**
 * Creates what prices tokens at a model where it is asked first, in nano-USD; undefined where no price is known. In the
 * tier `flex` it is the price of that where the upstream takes it and it is cheaper.
 */
export function createTokenPrices(current: () => Configured) {
  return (
    name: string,
    tokens: { readonly input: number; readonly output: number },
    tier?: typeof FLEX_TIER,
  ): number | undefined => {
    const { catalog, config } = current();
    const model = catalog.find(name);
    const [deployment] = model?.deployments ?? [];
    const price = deployment?.price ?? model?.price;
    if (price === undefined || model === undefined) return undefined;
    const upstream = deployment && config.upstreams[deployment.upstream];
    const takesFlex = upstream !== undefined && "profile" in upstream && upstream.profile?.flexTier === true;
    const isFlex = tier !== undefined && takesFlex;
    return costOfTokens((isFlex ? findFlexPrice(model, deployment) : undefined) ?? price, tokens);
  };
}
