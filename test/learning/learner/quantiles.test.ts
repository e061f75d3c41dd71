import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../src/learning/bandit/random.ts";
import { Quantiles } from "../../../src/learning/learner/quantiles.ts";

/** The part of the values that is below one, those that are equal counted half, with one half more among one more. */
function exactRank(values: readonly number[], value: number): number {
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return (below + equal / 2 + 0.5) / (values.length + 1);
}

describe("Quantiles", () => {
  it("is exact while there are no more values than it tells apart", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 500 }), fc.integer(), (values, value) => {
        const quantiles = new Quantiles();
        for (const one of values) quantiles.add(one);
        expect(quantiles.rankOf(value)).toBeCloseTo(exactRank(values, value), 12);
      }),
    );
  });

  it("ranks values of any scale within five hundredths, and stays small", () => {
    const random = new SeededRandom(7);
    const values = Array.from({ length: 4000 }, () => Math.exp(3 * random.normal()));
    const quantiles = new Quantiles();
    for (const value of values) quantiles.add(value);
    expect(quantiles.toSnapshot().values).toHaveLength(64);
    const asked = Array.from({ length: 200 }, () => Math.exp(3 * random.normal()));
    const errors = asked.map((value) => Math.abs(quantiles.rankOf(value) - exactRank(values, value)));
    expect(Math.max(...errors)).toBeLessThan(0.05);
  });

  it("keeps distances: what is near to each other is nearly the same where the spread is great", () => {
    const quantiles = new Quantiles();
    for (let index = 0; index < 100; index++) quantiles.add(index % 10 === 0 ? 500 : index % 2 === 0 ? 2 : 4);
    expect(quantiles.positionOf(2)).toBe(0);
    expect(quantiles.positionOf(4)).toBeCloseTo(2 / 498, 9);
    expect(quantiles.positionOf(251)).toBeCloseTo(0.5, 9);
    expect([-1e9, 1e9].map((value) => quantiles.positionOf(value))).toEqual([0, 1]);
    expect(quantiles.rankOf(4) - quantiles.rankOf(2)).toBeGreaterThan(0.4);
  });

  it("gives no weight to one value in hundreds that is far from all others", () => {
    const quantiles = new Quantiles();
    quantiles.add(1e12);
    for (let index = 0; index < 500; index++) quantiles.add(index % 101);
    expect(quantiles.positionOf(50)).toBeCloseTo(0.5, 1);
  });

  it("goes by ranks while all values are equal, and takes every finite number", () => {
    const quantiles = new Quantiles();
    expect(quantiles.positionOf(7)).toBe(0.5);
    for (let index = 0; index < 3; index++) quantiles.add(7);
    expect([6, 7, 8].map((value) => quantiles.positionOf(value))).toEqual([0.125, 0.5, 0.875]);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (values) => {
        const all = new Quantiles();
        for (const value of values) {
          const position = all.positionOf(value);
          expect(position >= 0 && position <= 1).toBe(true);
          all.add(value);
        }
        const sorted = [...values].sort((one, other) => one - other).map((value) => all.positionOf(value));
        expect(sorted).toEqual([...sorted].sort((one, other) => one - other));
      }),
    );
  });

  it("follows a metric that moves", () => {
    const quantiles = new Quantiles();
    for (let index = 0; index < 4000; index++) quantiles.add(index % 50);
    for (let index = 0; index < 20_000; index++) quantiles.add(1000 + (index % 50));
    expect(quantiles.rankOf(1000)).toBeLessThan(0.15);
    expect(quantiles.count).toBeLessThan(4096);
  });

  it("gives the same ranks once it is read back, also for the largest numbers there are", () => {
    const quantiles = new Quantiles();
    for (let index = 0; index < 200; index++)
      quantiles.add((index % 2 === 0 ? 1 : -1) * (Number.MAX_VALUE / (1 + index)));
    const again = new Quantiles(JSON.parse(JSON.stringify(quantiles.toSnapshot())));
    for (const value of [-Number.MAX_VALUE, -1, 0, 1e300, Number.MAX_VALUE]) {
      expect(again.rankOf(value)).toBe(quantiles.rankOf(value));
      expect(quantiles.rankOf(value)).toBeGreaterThan(0);
      expect(quantiles.rankOf(value)).toBeLessThan(1);
    }
  });
});
