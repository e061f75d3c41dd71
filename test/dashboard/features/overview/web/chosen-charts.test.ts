import { describe, expect, it } from "vitest";
import { chartName, chartPlans, FIRST_CHARTS } from "../../../../../src/dashboard/features/overview/web/chart-plans.ts";
import { parseChosen, shownCharts } from "../../../../../src/dashboard/features/overview/web/chosen-charts.ts";

describe("parseChosen()", () => {
  it("reads what was stored", () => {
    expect(parseChosen('["Cost","Refused calls"]')).toEqual(["Cost", "Refused calls"]);
  });

  it.each([undefined, "", "{", "[]", "{}", "[1]", '"Cost"'])("takes %s for the first four", (text) => {
    expect(parseChosen(text)).toEqual(FIRST_CHARTS);
  });
});

describe("shownCharts()", () => {
  const grouped = chartPlans("model", false).map(chartName);

  it("returns those that were chosen, as many as are shown at a time", () => {
    expect(shownCharts(grouped, ["Tokens", "Refused calls", "Cost"])).toEqual(["Cost", "Refused calls"]);
    expect(shownCharts(grouped, grouped)).toEqual(FIRST_CHARTS);
  });

  it("returns the first four where a grouping has none of them", () => {
    expect(shownCharts(grouped, ["Tokens", "Saved against the base models alone"])).toEqual(FIRST_CHARTS);
  });
});
