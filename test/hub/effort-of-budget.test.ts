import { describe, expect, it } from "vitest";
import { effortOfBudget } from "../../src/hub/effort-of-budget.ts";

describe("the effort of a budget", () => {
  it.each([
    [1, "low"],
    [2048, "low"],
    [2049, "medium"],
    [16_384, "medium"],
    [16_385, "high"],
    [4_000_000_000, "high"],
  ])("of %i tokens is %s by default", (tokens, effort) => {
    expect(effortOfBudget(tokens, {})).toBe(effort);
  });

  it("is the one with the greatest number of tokens that the budget exceeds, whatever their order", () => {
    const budgetEfforts = { max: 1000, high: 5000, minimal: 100 };
    const efforts = [100, 101, 1001, 5001].map((tokens) => effortOfBudget(tokens, { budgetEfforts }));
    expect(efforts).toEqual([undefined, "minimal", "max", "high"]);
  });

  it("is none of a model without efforts", () => {
    expect(effortOfBudget(5000, { budgetEfforts: {} })).toBeUndefined();
  });
});
