import { describe, expect, it } from "vitest";
import { chartName, chartPlans, FIRST_CHARTS } from "../../../../../src/dashboard/features/overview/web/chart-plans.ts";

describe("chartPlans()", () => {
  const names = (...args: Parameters<typeof chartPlans>) => chartPlans(...args).map(chartName);

  it.each(["none", "model"] as const)("has a chart of savings for the group %s only where there are some", (group) => {
    const plain = names(group, false);
    expect(plain).not.toContain("Saved against the base models alone");
    expect(names(group, true)).toEqual(plain.toSpliced(4, 0, "Saved against the base models alone"));
  });

  it.each(["none", "model"] as const)("has the first four of the group %s, and refused calls to choose", (group) => {
    expect(names(group, false).slice(0, 5)).toEqual([...FIRST_CHARTS, "Refused calls"]);
    expect(new Set(names(group, true)).size).toBe(names(group, true).length);
  });
});
