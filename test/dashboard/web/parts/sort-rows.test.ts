import { describe, expect, it } from "vitest";
import { nextSort, sortRows } from "../../../../src/dashboard/web/parts/sort-rows.ts";

describe("sortRows()", () => {
  it("puts rows in order, those without a value last either way", () => {
    const rows = [{ n: 2 }, { n: null }, { n: 10 }, { n: undefined }, { n: 1 }];
    const sorted = (isDescending: boolean) => sortRows(rows, ({ n }) => n, isDescending).map(({ n }) => n ?? null);
    expect(sorted(true)).toEqual([10, 2, 1, null, null]);
    expect(sorted(false)).toEqual([1, 2, 10, null, null]);
    expect(rows[0]).toEqual({ n: 2 });
  });
});

describe("nextSort()", () => {
  it("goes from the greatest to the least, and back to no order", () => {
    const first = nextSort(undefined, "Cost");
    expect(first).toEqual({ heading: "Cost", isDescending: true });
    const second = nextSort(first, "Cost");
    expect(second).toEqual({ heading: "Cost", isDescending: false });
    expect(nextSort(second, "Cost")).toBeUndefined();
    expect(nextSort(second, "Calls")).toEqual({ heading: "Calls", isDescending: true });
  });
});
