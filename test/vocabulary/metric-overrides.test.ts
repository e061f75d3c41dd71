import { describe, expect, it } from "vitest";
import { checkCount, mergeOverrides, metricProblem } from "../../src/vocabulary/metric-overrides.ts";

describe("mergeOverrides()", () => {
  const before = [
    { name: "tone", weight: 0.5 },
    { name: "words", atMost: 100 },
  ];

  it("puts what is said of a metric in the place of what was said of it, and leaves the others", () => {
    expect(mergeOverrides(before, [{ name: "tone", direction: "min" }])).toEqual([
      { name: "words", atMost: 100 },
      { name: "tone", direction: "min" },
    ]);
    expect(mergeOverrides(null, [{ name: "ok", weight: 0 }])).toEqual([{ name: "ok", weight: 0 }]);
  });

  it("takes back what was said of one that is only named, and is nothing once nothing is said", () => {
    expect(mergeOverrides(before, [{ name: "tone" }])).toEqual([{ name: "words", atMost: 100 }]);
    expect(mergeOverrides(before, [{ name: "tone" }, { name: "words" }])).toBeNull();
    expect(mergeOverrides(null, [{ name: "none" }])).toBeNull();
  });
});

describe("checkCount()", () => {
  const some = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `m${at}`, weight: 0 }));

  it("allows 100", () => {
    expect(checkCount(null)).toBeUndefined();
    expect(checkCount(some(100))).toBeUndefined();
    expect(checkCount(some(101))).toBe("something can be said of 100 metrics at most");
  });
});

describe("metricProblem()", () => {
  it.each([
    [{ name: "" }, "the name must have 1 to 256 characters"],
    [
      { name: "a\u202eb" },
      "the name must not have control characters, nor characters that change the direction of text; it has U+202E",
    ],
    [{ name: "ok", weight: -0.1 }, "the weight must be from 0 to 1"],
    [{ name: "ok", atLeast: Number.NaN }, "bounds must be finite numbers"],
    [{ name: "ok", atLeast: 2, atMost: 1 }, "the lower bound is above the upper bound"],
    [{ name: "ok", weight: 0, direction: "min" as const, atLeast: -1, atMost: -1 }, undefined],
  ])("looks at %j", (said, problem) => {
    expect(metricProblem(said)).toBe(problem);
  });
});
