import { describe, expect, it } from "vitest";
import { explainDifference } from "../../../../../../src/dashboard/features/history/web/request/format-price.ts";

describe("explainDifference()", () => {
  it.each([
    ["no figure of the provider's", null, 1_000_000],
    ["no price", 1_000_000, undefined],
    ["the same", 1_000_000, 1_000_000],
    ["two percent", 10_200_000, 10_000_000],
    ["a small difference between small costs", 1500, 600],
  ])("says nothing of %s", (_what, reported, byPrices) => {
    expect(explainDifference(reported, byPrices)).toBeUndefined();
  });

  it("says how much more or less the provider reports", () => {
    expect(explainDifference(10_500_000, 10_000_000)).toMatch(
      /^It reports \$0\.0105, .*\$0\.0005 more .* 5% of them\./,
    );
    expect(explainDifference(0, 10_000_000)).toMatch(/^It reports \$0\.00, .*\$0\.01 less .* 100% of them\./);
    expect(explainDifference(5_000_000, 0)).toMatch(/more than today's prices here\. Check/);
  });
});
