import type { Catalog } from "./catalog.ts";
import { costOfTokens } from "./cost.ts";

/** Creates what prices tokens at a model where it is asked first, in nano-USD; undefined where no price is known. */
export function createTokenPrices(catalog: () => Pick<Catalog, "find">) {
  return (name: string, tokens: { readonly input: number; readonly output: number }): number | undefined => {
    const model = catalog().find(name);
    const price = model?.deployments[0]?.price ?? model?.price;
    return price && costOfTokens(price, tokens);
  };
}
