import { describe, expect, it } from "vitest";
import { sparklinePath } from "../../../../src/dashboard/web/parts/sparkline-path.ts";

describe("sparklinePath()", () => {
  it.each([
    ["a line from zero up", [0, 5, 10], "M0 22L50 12L100 2"],
    ["a gap where nothing was measured", [10, null, 10, 0], "M0 2M66.7 2L100 22"],
    ["losses below zero", [-10, 10], "M0 22L100 2"],
    ["zeros", [0, 0], "M0 22L100 22"],
    ["nothing for one value", [null, 7], ""],
  ])("draws %s", (_, values, path) => {
    expect(sparklinePath(values)).toBe(path);
  });
});
