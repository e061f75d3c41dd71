import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatCost,
  formatDuration,
  formatLatency,
  formatListedCost,
  formatPercent,
  formatShort,
  formatShortCost,
  formatTime,
  formatTokens,
  markEstimate,
} from "../../../src/dashboard/web/parts/format.ts";

describe("figures with their units", () => {
  it.each([
    [0, "$0.00"],
    [1, "$0.000000001"],
    [1_500_000, "$0.0015"],
    [1_230_000_000, "$1.23"],
    [9_007_199_254_740_991, "$9,007,199.254740991"],
    [-2_500_000_000, "-$2.50"],
    [null, "–"],
  ])("cost %s: %s", (nanos, text) => expect(formatCost(nanos)).toBe(text));

  it.each([
    [0, "$0.00"],
    [600, "$0.0000006"],
    [1_234_567, "$0.00123"],
    [100_000_000, "$0.10"],
    [2_900_000_000, "$2.90"],
    [12_345_000_000, "$12.35"],
    [1_234_000_000, "$1.23"],
    [90_500_000_000, "$90.50"],
    [-50_000_000_000, "-$50.00"],
    [1_234_567_000_000, "$1,235"],
  ])("short cost %s: %s", (nanos, text) => expect(formatShortCost(nanos)).toBe(text));

  it.each([
    [null, "–"],
    [0, "$0.00"],
    [4_600_000, "$0.00460"],
    [4_594_000, "$0.00459"],
    [-100_000_000, "-$0.100"],
    [2_900_000_000, "$2.90"],
  ])("cost %s in a list that grows: %s", (nanos, text) => expect(formatListedCost(nanos)).toBe(text));

  it.each([
    [0.44, "0.4 ms"],
    [849.6, "850 ms"],
    [999.6, "1 s"],
    [1250, "1.25 s"],
    [59_999, "1 min 0 s"],
    [125_000, "2 min 5 s"],
    [12_000_000, "3 h 20 min"],
    [undefined, "–"],
  ])("duration %s: %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it("measured times beside others have as many decimals", () => {
    expect([0.42, 850, 2330, 6600, 59_994, 125_000, null].map(formatLatency)).toEqual([
      ...["0.4 ms", "850 ms", "2.33 s", "6.60 s", "59.99 s", "2 min 5 s", "–"],
    ]);
  });

  it("counts, tokens and shares", () => {
    expect([formatShort(12_345), formatTokens(1), formatTokens(12_345), formatPercent(0.1234)]).toEqual([
      "12.3K",
      "1 token",
      "12,345 tokens",
      "12.3%",
    ]);
    expect([0, 0.0001, 0.0005].map(formatPercent)).toEqual(["0%", "<0.1%", "0.1%"]);
  });

  it("times are of the viewer's clock, and name its zone", () => {
    const time = "2026-11-21T14:05:00Z";
    expect(formatTime(time, "Europe/Zurich")).toBe("21 Nov 2026, 15:05 CET");
    expect(formatTime(time, "America/Los_Angeles")).toBe("21 Nov 2026, 06:05 GMT-8");
    expect(formatTime(time, "UTC")).toBe("21 Nov 2026, 14:05 UTC");
  });

  it.each([
    [-30_000, "just now"],
    [-180_000, "3 minutes ago"],
    [-86_400_000, "yesterday"],
    [3 * 86_400_000, "in 3 days"],
  ])("%s ms from now: %s", (distance, text) => expect(formatAgo(new Date(1e12 + distance), 1e12)).toBe(text));
});

describe("markEstimate()", () => {
  it("marks an estimate, and nothing that is not known", () => {
    expect(["$0.01", "–"].flatMap((text) => [markEstimate(text, true), markEstimate(text, false)])).toEqual([
      ...["≈ $0.01", "$0.01"],
      ...["–", "–"],
    ]);
  });
});
