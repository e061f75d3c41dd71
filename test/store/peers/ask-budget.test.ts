import { describe, expect, it } from "vitest";
import { AskBudget } from "../../../src/store/peers/ask-budget.ts";

describe("AskBudget", () => {
  it("gives a project two thousand at once, and a thousand a second", () => {
    let now = 0;
    const budget = new AskBudget(() => now);
    expect(budget.take("p", 1500)).toBe(1500);
    expect(budget.take("p", 1500)).toBe(500);
    expect(budget.take("p", 1)).toBe(0);
    expect(budget.take("q", 5000)).toBe(2000);
    now = 250;
    expect(budget.take("p", 1500)).toBe(250);
    now = 60_000;
    expect(budget.take("p", 5000)).toBe(2000);
  });

  it("remembers a thousand projects, those that asked last", () => {
    const budget = new AskBudget(() => 0);
    for (let index = 0; index <= 1000; index += 1) budget.take(`${index}`, 2000);
    expect(budget.take("1", 1)).toBe(0);
    expect(budget.take("0", 1)).toBe(1);
  });
});
