import { describe, expect, it } from "vitest";
import { estimateImprovement } from "../../../src/learning/improve/estimate-improvement.ts";

const PRICES: Readonly<Record<string, number>> = { a: 10, b: 30, judge: 2, second: 5 };
const expected = {
  models: ["a", "b"],
  calls: 100,
  checks: 50,
  tokens: { input: 1000, output: 100 },
  priceOf: (model: string) => PRICES[model],
};

describe("estimateImprovement()", () => {
  it("has two grades for each call and one for each rated answer", () => {
    expect(estimateImprovement({ ...expected, judges: ["judge"] })).toEqual({
      nanos: { mean: 250 * 2 + 100 * 20, most: 250 * 2 + 100 * 30 },
      unpriced: [],
    });
  });

  it("has a second judge grade all of them at most", () => {
    const { nanos } = estimateImprovement({ ...expected, judges: ["judge", "second"] });
    expect(nanos).toEqual({ mean: 250 * 7 + 100 * 20, most: 250 * 7 + 100 * 30 });
  });

  it("names judges and models without a price", () => {
    const judges = ["judge", "dear"];
    expect(estimateImprovement({ ...expected, judges })).toEqual({ nanos: undefined, unpriced: ["dear"] });
    const models = ["a", "new"];
    expect(estimateImprovement({ ...expected, judges: ["judge"], models }).unpriced).toEqual(["new"]);
  });
});
