import { describe, expect, it } from "vitest";
import { relativePrices } from "../../../src/routing/steps/relative-prices.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const price = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 });
const of = (...prices: (ReturnType<typeof price> | undefined)[]) =>
  relativePrices({
    ...stubModel,
    price: undefined,
    deployments: prices.map((own) => ({ upstream: "u", model: "m", ...(own !== undefined && { price: own }) })),
  });

describe("relativePrices()", () => {
  it("compares three tokens of a prompt and one of an answer", () => {
    expect(of(price(1, 1), price(2, 2), price(1, 5))).toEqual([1, 2, 2]);
  });

  it("takes the model's price where a deployment has none", () => {
    const deployments = [
      { upstream: "u", model: "m" },
      { upstream: "v", model: "m", price: price(2, 2) },
    ];
    expect(relativePrices({ ...stubModel, price: price(1, 1), deployments })).toEqual([1, 2]);
  });

  it("does not let what is free win at any speed", () => {
    expect(of(price(0, 0), price(1, 1))).toEqual([1, 10]);
    expect(of(price(0, 0), price(0, 0))).toEqual([1, 1]);
  });

  it("takes places without a price as neither dear nor cheap", () => {
    expect(of(undefined, price(3, 3))).toEqual([1, 1]);
    expect(of(undefined, undefined)).toEqual([1, 1]);
  });
});
