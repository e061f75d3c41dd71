import { describe, expect, it } from "vitest";
import { chartPlans } from "../../../../../src/dashboard/web/pages/overview/chart-plans.ts";

describe("chartPlans()", () => {
  const titles = (...args: Parameters<typeof chartPlans>) => chartPlans(...args).map(({ title }) => title);

  it.each(["none", "model"] as const)("has a chart of savings for the group %s only where there are some", (group) => {
    const saved = "Saved against plain base calls";
    const plain = titles(group, { hasSavings: false, isAll: true });
    expect(plain).not.toContain(saved);
    expect(titles(group, { hasSavings: true, isAll: true })).toEqual(plain.toSpliced(4, 0, saved));
  });

  it.each([
    ["none", "Latency"],
    ["model", "Total latency, p95"],
  ] as const)("has four charts of the group %s until all are asked for, with %s", (group, latency) => {
    const four = titles(group, { hasSavings: true, isAll: false });
    expect(four).toEqual(["Calls", "Cost", "Errors", latency]);
    expect(titles(group, { hasSavings: false, isAll: true })).toContain("Tokens a second");
  });
});
