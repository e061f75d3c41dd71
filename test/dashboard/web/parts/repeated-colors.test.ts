import { describe, expect, it } from "vitest";
import { seriesColor } from "../../../../src/dashboard/web/figures/series-colors.ts";
import { repeatedColors } from "../../../../src/dashboard/web/parts/repeated-colors.ts";

describe("repeatedColors()", () => {
  it("names the series beyond eight", () => {
    const series = Array.from({ length: 10 }, (_, at) => ({ name: `s${at}`, color: seriesColor(at) }));
    expect([...repeatedColors(series)]).toEqual(["s8", "s9"]);
    expect(repeatedColors(series.slice(0, 8)).size).toBe(0);
  });
});
