import { describe, expect, it } from "vitest";
import { CallBudget } from "../../src/routing/routing.ts";

const takeAll = (budget: CallBudget): number => {
  let taken = 0;
  while (budget.take()) taken += 1;
  return taken;
};

describe("CallBudget", () => {
  it("has some calls at first, and saves up no more than its reserve", () => {
    const budget = new CallBudget(0.1, { reserve: 20, calls: 5 });
    expect(takeAll(budget)).toBe(5);
    for (let inference = 0; inference < 1000; inference++) budget.deposit();
    expect(takeAll(budget)).toBe(20);
  });

  it("never allows for more than its share where it has none at first", () => {
    const budget = new CallBudget(0.125, { reserve: 20, calls: 0 });
    for (let inference = 1; inference <= 80; inference++) {
      budget.deposit();
      expect(budget.take()).toBe(inference % 8 === 0);
    }
  });

  it("allows for one call in eight inferences where the share is an eighth", () => {
    const budget = new CallBudget(0.125, { reserve: 20, calls: 20 });
    takeAll(budget);
    let taken = 0;
    for (let inference = 0; inference < 800; inference++) {
      budget.deposit();
      if (budget.take()) taken += 1;
    }
    expect(taken).toBe(100);
  });

  it("allows for none where the share is nothing", () => {
    const budget = new CallBudget(0, { reserve: 20, calls: 20 });
    budget.deposit();
    expect(budget.take()).toBe(false);
  });
});
