import { describe, expect, it } from "vitest";
import { digitsFor, findPosition, roundScale } from "../../../../../src/dashboard/features/models/web/scale.ts";

const FREE = { low: -Infinity, high: Infinity };
const SHARE = { low: 0, high: 1 };

describe("roundScale()", () => {
  it.each([
    { values: [0.77, 0.93], bounds: SHARE, ticks: [0.75, 0.8, 0.85, 0.9, 0.95] },
    { values: [0.02, 0.99], bounds: SHARE, ticks: [0, 0.5, 1] },
    { values: [1], bounds: SHARE, ticks: [0.5, 1] },
    { values: [-3, 4], bounds: FREE, ticks: [-4, -2, 0, 2, 4] },
    { values: [120, 480], bounds: FREE, ticks: [100, 200, 300, 400, 500] },
    { values: [0], bounds: FREE, ticks: [0, 0.5] },
  ])("puts $values between round ends", ({ values, bounds, ticks }) => {
    const scale = roundScale(values, bounds);
    expect(scale).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
  });
});

describe("findPosition()", () => {
  it("is a percentage of the width, and never beyond the ends", () => {
    const scale = { low: 10, high: 20, ticks: [10, 20] };
    expect([10, 12.5, 20, 5, 25].map((value) => findPosition(value, scale))).toEqual([0, 25, 100, 0, 100]);
  });
});

describe("digitsFor()", () => {
  it.each([
    { values: [0.75, 0.9], digits: 3 },
    { values: [12, 15], digits: 2 },
    { values: [100, 900], digits: 0 },
    { values: [5, 5], digits: 3 },
  ])("tells $values apart", ({ values, digits }) => {
    expect(digitsFor(values)).toBe(digits);
  });
});
