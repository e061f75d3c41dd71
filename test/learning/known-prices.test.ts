import { describe, expect, it } from "vitest";
import { createKnownPrices } from "../../src/learning/known-prices.ts";

const price = (input: number, output: number) => ({ input, output });
const MODELS = [
  { name: "base", price: price(1, 5), deployments: [{}] },
  { name: "dear", price: price(10, 50), deployments: [{}] },
  { name: "moved", price: price(10, 50), deployments: [{ price: price(2, 2) }, {}] },
  { name: "free", price: price(0, 0), deployments: [{}] },
  { name: "unpriced", deployments: [{}] },
];

describe("createKnownPrices()", () => {
  it("tells what models cost in prices of base, three tokens of a prompt to one of an answer", () => {
    expect(createKnownPrices(MODELS)("base")).toEqual({ base: 1, dear: 10, moved: 1, free: 0 });
  });

  it("tells nothing where base is free or has no price", () => {
    expect(["free", "unpriced", "other"].map(createKnownPrices(MODELS))).toEqual([{}, {}, {}]);
  });
});
