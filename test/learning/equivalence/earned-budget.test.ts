import { describe, expect, it } from "vitest";
import { EarnedBudget } from "../../../src/learning/equivalence/earned-budget.ts";

function start(earned: number, most: number) {
  let nowMs = 5;
  const budget = new EarnedBudget({ earned, periodMs: 1000, most, now: () => nowMs });
  return { budget, pass: (ms: number) => (nowMs += ms) };
}

describe("EarnedBudget", () => {
  it("begins with what may be saved up, and gives no more than it has", () => {
    const { budget } = start(100, 3);
    expect([budget.take(2), budget.take(2), budget.take(1), budget.take(1)]).toEqual([true, false, true, false]);
  });

  it("earns evenly over the period, up to what may be saved up", () => {
    const { budget, pass } = start(100, 3);
    budget.spend(3);
    pass(15);
    expect(budget.left).toBeCloseTo(1.5);
    pass(60_000);
    expect(budget.left).toBe(3);
  });

  it("has to earn first what was spent beyond it", () => {
    const { budget, pass } = start(100, 3);
    budget.spend(13);
    pass(100);
    expect(budget.left).toBeCloseTo(0);
    pass(10);
    expect(budget.take(1)).toBe(true);
  });
});
