import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  combineWorths,
  indexRules,
  listConstraints,
  listGuards,
  weigh,
} from "../../../src/learning/learner/metric-settings.ts";

const someWeight = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1, noNaN: true }));
const someWorths = fc.array(fc.record({ worth: fc.double({ min: 0, max: 1, noNaN: true }), weight: someWeight }), {
  minLength: 1,
  maxLength: 20,
});

describe("combineWorths()", () => {
  it("is the mean where nothing is weighed", () => {
    expect(combineWorths([0, 1, 1, 0.5].map((worth) => ({ worth, weight: 1 })))).toEqual({ reward: 0.625, weight: 1 });
  });

  it("weighs, and counts as much as the weightiest", () => {
    const worths = [
      { worth: 1, weight: 0.5 },
      { worth: 0, weight: 0.25 },
      { worth: 0, weight: 0 },
    ];
    expect(combineWorths(worths)?.reward).toBeCloseTo(2 / 3);
    expect(combineWorths(worths)?.weight).toBe(0.5);
  });

  it("counts an expense for a quarter beside an outcome, and fully by itself", () => {
    const [right, slow] = [
      { worth: 1, weight: 1 },
      { worth: 0, weight: 1, isExpense: true },
    ] as const;
    expect(combineWorths([right, slow])).toEqual({ reward: 0.8, weight: 1 });
    expect(combineWorths([slow, { ...slow, worth: 1 }])).toEqual({ reward: 0.5, weight: 1 });
    expect(combineWorths([{ ...right, weight: 0 }, slow])).toEqual({ reward: 0, weight: 1 });
  });

  it("is nothing where nothing counts", () => {
    expect(combineWorths([])).toBeUndefined();
    expect(combineWorths([{ worth: 1, weight: 0 }])).toBeUndefined();
  });

  it("lies between the least and the greatest of what counts, and does not go by the order", () => {
    fc.assert(
      fc.property(someWorths, (worths) => {
        const counting = worths.filter(({ weight }) => weight > 0).map(({ worth }) => worth);
        const combined = combineWorths(worths);
        if (combined === undefined) {
          expect(counting).toEqual([]);
          return;
        }
        expect(combined.reward).toBeGreaterThanOrEqual(Math.min(...counting) - 1e-9);
        expect(combined.reward).toBeLessThanOrEqual(Math.max(...counting) + 1e-9);
        expect(combineWorths([...worths].reverse())?.reward).toBeCloseTo(combined.reward, 9);
      }),
    );
  });

  it("gets no worse where one of its parts gets better", () => {
    fc.assert(
      fc.property(someWorths, fc.double({ min: 0, max: 1, noNaN: true }), ([first, ...others], better) => {
        if (first === undefined || first.weight === 0) return;
        const before = combineWorths([first, ...others])?.reward ?? 0;
        const after = combineWorths([{ ...first, worth: Math.max(first.worth, better) }, ...others])?.reward ?? 0;
        expect(after).toBeGreaterThanOrEqual(before - 1e-12);
      }),
    );
  });
});

describe("listGuards() and listConstraints()", () => {
  it("guard what counts for nothing, and hold the others to their bounds", () => {
    const settings = [
      { name: "right" },
      { name: "tone", weight: 0 },
      { name: "words", weight: 0, atMost: 200 },
      { name: "kind", atLeast: 0.9, atMost: 1 },
    ];
    expect(listGuards(settings)).toEqual(["metric:tone"]);
    expect(listConstraints(settings)).toEqual([
      { metric: "words", relation: "atMost", bound: 200 },
      { metric: "kind", relation: "atLeast", bound: 0.9 },
      { metric: "kind", relation: "atMost", bound: 1 },
    ]);
  });
});

describe("weigh()", () => {
  const rules = indexRules([{ name: "tokens", weight: 0.7 }, { name: "seconds", direction: "min" }, { name: "wrong" }]);

  it.each([
    { entry: { name: "stars", value: 4, optimize: "max" }, expected: { worth: 0.5, weight: 1 } },
    { entry: { name: "wrong", value: true, optimize: "min" }, expected: { worth: 0.5, weight: 1 } },
    { entry: { name: "edits", value: 3, optimize: "min" }, expected: { worth: 0.5, weight: 1, isExpense: true } },
    { entry: { name: "seconds", value: 3, optimize: null }, expected: { worth: 0.5, weight: 1, isExpense: true } },
    { entry: { name: "tokens", value: 3, optimize: "min" }, expected: { worth: 0.5, weight: 0.7 } },
  ])("takes $entry.name for what it is", ({ entry, expected }) => {
    expect(weigh(0.5, entry, rules)).toEqual(expected);
  });
});
