import { describe, expect, it } from "vitest";
import { hashTexts, randomOf } from "../../src/routing/hash.ts";

describe("hashTexts()", () => {
  it("is the same for the same texts, and tells where one ends", () => {
    expect(hashTexts("ab", "c")).toBe(hashTexts("ab", "c"));
    expect(hashTexts("ab", "c")).not.toBe(hashTexts("a", "bc"));
    expect(hashTexts("a")).not.toBe(hashTexts("a", ""));
  });

  it("looks at a bounded part of long texts, and at their length", () => {
    const long = "x".repeat(100_000);
    expect(hashTexts(long)).toBe(hashTexts(`${long.slice(0, -1)}y`));
    expect(hashTexts(long)).not.toBe(hashTexts(`${long}x`));
  });

  it("spreads texts that are alike evenly", () => {
    const counts = [0, 0, 0, 0, 0];
    for (let text = 0; text < 5000; text++) {
      const at = hashTexts(`text ${text}`) % 5;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe("randomOf()", () => {
  it("draws the same numbers for the same seed, all from 0 to below 1", () => {
    const draw = (seed: string) => Array.from({ length: 100 }, randomOf(seed));
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
    for (const number of draw("a")) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }
    expect(new Set(draw("a")).size).toBe(100);
  });
});
