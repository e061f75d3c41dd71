import { describe, expect, it } from "vitest";
import { FIRST_CHARTS } from "../../../../../src/dashboard/web/pages/overview/chart-plans.ts";
import { parseChosen } from "../../../../../src/dashboard/web/pages/overview/chosen-charts.ts";

describe("parseChosen()", () => {
  it("reads what was stored", () => {
    expect(parseChosen('["Cost","Refused calls"]')).toEqual(["Cost", "Refused calls"]);
  });

  it.each([undefined, "", "{", "[]", "{}", "[1]", '"Cost"'])("takes %s for the first four", (text) => {
    expect(parseChosen(text)).toEqual(FIRST_CHARTS);
  });
});
