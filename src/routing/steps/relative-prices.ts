import type { CatalogModel } from "../../catalog/model.ts";
import type { PricePicos } from "../../catalog/prices.ts";

/** Tokens of a prompt for each token of an answer, as a rule. */
const PROMPT_PER_ANSWER = 3;

/** A place that costs nothing counts as this part of the dearest one: it may still be too slow. */
const LEAST = 0.1;

/**
 * Returns what each deployment of a model costs, as a multiple of the cheapest, 10 at most; 1 where its price is not
 * known.
 */
export function relativePrices({ deployments, price }: CatalogModel): number[] {
  const blended = deployments.map((deployment) => blend(deployment.price ?? price));
  const known = blended.flatMap((cost) => cost ?? []);
  const dearest = Math.max(...known);
  if (known.length === 0 || dearest === 0) return blended.map(() => 1);
  const atLeast = (cost: number): number => Math.max(cost, LEAST * dearest);
  const cheapest = Math.min(...known.map(atLeast));
  return blended.map((cost) => (cost === undefined ? 1 : atLeast(cost) / cheapest));
}

function blend(price: PricePicos | undefined): number | undefined {
  return price === undefined ? undefined : PROMPT_PER_ANSWER * price.input + price.output;
}
