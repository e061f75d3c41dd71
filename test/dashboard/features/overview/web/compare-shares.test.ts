import { describe, expect, it } from "vitest";
import { compareShares } from "../../../../../src/dashboard/features/overview/web/compare-shares.ts";

describe("compareShares()", () => {
  it.each([
    ["a change within chance", [23, 1000], [25, 1000], false],
    ["a change beyond chance", [80, 1000], [25, 1000], true],
    ["no failures among few calls", [0, 5], [1, 5], false],
  ] as const)("tells %s", (_, [part, whole], [partBefore, wholeBefore], significant) => {
    const { points, isSignificant } = compareShares({ part, whole }, { part: partBefore, whole: wholeBefore });
    expect(points).toBeCloseTo((100 * part) / whole - (100 * partBefore) / wholeBefore, 9);
    expect(isSignificant).toBe(significant);
  });

  it("knows no change where there were no calls", () => {
    expect(compareShares({ part: 1, whole: 2 }, { part: 0, whole: 0 }).points).toBeUndefined();
  });
});
