import { describe, expect, it } from "vitest";
import { getShare, logEvidence, type SignTest } from "../../../src/learning/equivalence/sign-test.ts";

describe("logEvidence()", () => {
  it("is what all coins together foretell, over what the given one does", () => {
    // Two hits: the integral of p^2 is 1/3, and a fair coin gives 1/4.
    expect(Math.exp(logEvidence([2, 0], 1 / 2))).toBeCloseTo(4 / 3, 12);
    // A hit and a miss: the integral of p(1 - p) is 1/6, and a coin of a third gives 2/9.
    expect(Math.exp(logEvidence([1, 1], 1 / 3))).toBeCloseTo(3 / 4, 12);
    expect(logEvidence([0, 0], 1 / 2)).toBeCloseTo(0, 12);
  });

  it.each([1 / 2, 1 / 3])(
    "is a martingale where the chance is %d: its next value is the present one on average",
    (chance) => {
      for (const [hits, misses] of [
        [0, 0],
        [3, 1],
        [40, 90],
        [70_000, 30_000],
      ] as const) {
        const now = logEvidence([hits, misses], chance);
        const next =
          chance * Math.exp(logEvidence([hits + 1, misses], chance) - now) +
          (1 - chance) * Math.exp(logEvidence([hits, misses + 1], chance) - now);
        expect(next).toBeCloseTo(1, 6);
      }
    },
  );

  it("does not depend on the order or on who counted", () => {
    const one: SignTest = [12, 7];
    const other: SignTest = [3, 9];
    expect(logEvidence([one[0] + other[0], one[1] + other[1]], 1 / 2)).toBeCloseTo(logEvidence([15, 16], 1 / 2), 12);
  });
});

describe("getShare()", () => {
  it("knows nothing of nothing", () => {
    expect(getShare([0, 0], 0.05)).toEqual({ estimate: undefined, low: 0, high: 1 });
  });

  it("holds the estimate, ends where the evidence reaches 1 over the level, and narrows", () => {
    const few = getShare([30, 70], 0.05);
    const many = getShare([3000, 7000], 0.05);
    expect(few.estimate).toBe(0.3);
    expect(logEvidence([30, 70], few.low)).toBeCloseTo(Math.log(20), 3);
    expect(logEvidence([30, 70], few.high)).toBeCloseTo(Math.log(20), 3);
    expect(many.low).toBeGreaterThan(few.low);
    expect(many.high).toBeLessThan(few.high);
  });

  it("reaches to the ends where all fell one way", () => {
    expect(getShare([50, 0], 0.05).high).toBe(1);
    expect(getShare([0, 50], 0.05).low).toBe(0);
    expect(getShare([50, 0], 0.05).low).toBeGreaterThan(0.8);
  });
});
