import { describe, expect, it } from "vitest";
import { alignDecimals } from "../../../../src/dashboard/web/parts/align-decimals.ts";

describe("alignDecimals()", () => {
  it.each([
    ["shares", ["5%", "6.5%", "<0.1%", "100%", "–"], ["5.0%", "6.5%", "<0.1%", "100.0%", "–"]],
    ["whole shares", ["5%", "100%"], ["5%", "100%"]],
    [
      "shares with intervals",
      ["79% (67% – 86.7%)", "84.9% (76% – 90%)"],
      ["79.0% (67% – 86.7%)", "84.9% (76% – 90.0%)"],
    ],
    ["amounts below a dollar", ["$0.77", "$0.606", "$0.00"], ["$0.770", "$0.606", "$0.000"]],
    ["amounts with cents, and counts", ["$1,235", "$90.50", "12", "1.5"], ["$1,235", "$90.50", "12", "1.5"]],
    ["amounts on both sides of a dollar", ["$12.50", "$0.5", "$0.0605"], ["$12.50", "$0.5000", "$0.0605"]],
    ["times", ["850 ms", "0.4 ms", "6.60 s"], ["850 ms", "0.4 ms", "6.60 s"]],
  ])("aligns the points of %s", (_, texts, aligned) => {
    expect(alignDecimals(texts)).toEqual(aligned);
  });
});
