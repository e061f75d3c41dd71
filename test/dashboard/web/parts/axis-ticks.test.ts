import { describe, expect, it } from "vitest";
import { axisTicks, everyNth } from "../../../../src/dashboard/web/parts/axis-ticks.ts";

describe("everyNth()", () => {
  it.each([
    ["abc", 6, "abc"],
    ["abcdefg", 3, "adg"],
    ["abcdefgh", 3, "beh"],
    ["", 3, ""],
  ])("of %j, at most %d, are %j", (labels, most, expected) => {
    expect(everyNth([...labels], most)).toEqual([...expected]);
  });
});

describe("axisTicks()", () => {
  it.each([
    [0, 57, [0, 20, 40, 60]],
    [0, 0.32, [0, 0.1, 0.2, 0.3, 0.4]],
    [0, 10, [0, 2, 4, 6, 8, 10]],
    [0, 0.0000006, [0, 0.0000002, 0.0000004, 0.0000006]],
    [0.4, 1, [0.4, 0.6, 0.8, 1]],
    [-3, 7, [-4, -2, 0, 2, 4, 6, 8]],
    [0, 0, [0]],
  ])("of %d to %d are %j", (low, high, expected) => {
    expect(axisTicks(low, high)).toEqual(expected);
  });

  it("of counts are whole numbers", () => {
    expect(axisTicks(0, 2, true)).toEqual([0, 1, 2]);
    expect(axisTicks(0, 0, true)).toEqual([0, 1]);
  });
});
