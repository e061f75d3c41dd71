import { describe, expect, it } from "vitest";
import { chartPlans } from "../../../../../src/dashboard/web/pages/overview/chart-plans.ts";

describe("chartPlans()", () => {
  const titles = (...args: Parameters<typeof chartPlans>) => chartPlans(...args).map(({ title }) => title);

  it.each(["none", "model"] as const)("has a chart of savings for the group %s only where there are some", (group) => {
    const saved = "Saved against plain base calls";
    expect(titles(group, false)).not.toContain(saved);
    expect(titles(group, true)).toEqual(titles(group, false).toSpliced(3, 0, saved));
  });
});
