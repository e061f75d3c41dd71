/** Tokens of a prompt for each token of an answer, as a rule. */
const PROMPT_PER_ANSWER = 3;

/** Prices of a token. */
interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** A model of the catalog, with what it costs. */
interface PricedModel {
  readonly name: string;
  readonly price?: TokenPrices | undefined;
  readonly deployments: readonly { readonly price?: TokenPrices | undefined }[];
}

/**
 * Creates what names the prices of the catalog's models, as multiples of base's. Models without a price are left out;
 * where base has none, or is free, all are.
 */
export function createKnownPrices(models: readonly PricedModel[]): (base: string) => Readonly<Record<string, number>> {
  const prices = new Map(models.flatMap((model) => getPrices(model).map((price) => [model.name, price] as const)));
  return (base) => {
    const ofBase = prices.get(base) ?? 0;
    return ofBase > 0 ? Object.fromEntries([...prices].map(([name, price]) => [name, price / ofBase])) : {};
  };
}

/** The price of a model where it is asked first; empty where none is known. */
function getPrices({ price, deployments }: PricedModel): number[] {
  const first = deployments[0]?.price ?? price;
  return first === undefined ? [] : [PROMPT_PER_ANSWER * first.input + first.output];
}
