import { describe, expect, it } from "vitest";
import { CallBudget } from "../../src/routing/call-budget.ts";

const takeAll = (budget: CallBudget): number => {
  let taken = 0;
  while (budget.take()) taken += 1;
  return taken;
};

describe("CallBudget", () => {
  it("has a reserve at first, and no more than that is ever saved up", () => {
    const budget = new CallBudget(0.1, 20);
    for (let inference = 0; inference < 1000; inference++) budget.deposit();
    expect(takeAll(budget)).toBe(20);
  });

  it("allows for one call in eight inferences where the share is an eighth", () => {
    const budget = new CallBudget(0.125, 20);
    takeAll(budget);
    let taken = 0;
    for (let inference = 0; inference < 800; inference++) {
      budget.deposit();
      if (budget.take()) taken += 1;
    }
    expect(taken).toBe(100);
  });

  it("allows for none where the share is nothing", () => {
    const budget = new CallBudget(0, 20);
    budget.deposit();
    expect(budget.take()).toBe(false);
  });
});
