import { describe, expect, it } from "vitest";
import { chartName, chartPlans, FIRST_CHARTS } from "../../../../../src/dashboard/features/overview/web/chart-plans.ts";
import { MEASURES, SHOWN } from "../../../../../src/figures/measures.ts";

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

  it.each(["none", "model"] as const)("has every figure with a chart for the group %s", (group) => {
    const shown = chartPlans(group, true).flatMap(({ columns }) => columns.map(({ column }) => column));
    const withChart = SHOWN.flatMap((name) => ("chart" in MEASURES[name].page ? [MEASURES[name].page.column] : []));
    // All together, a chart has the parts of it.
    const parts = group === "none" ? withChart.filter((column) => column !== "inputTokens") : withChart;
    expect(shown).toEqual(expect.arrayContaining(parts));
  });
});
