import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { Quantiles } from "../../../src/learning/learner/quantiles.ts";

/** The part of the values that is below one, those that are equal counted half, with one half more among one more. */
function exactRank(values: readonly number[], value: number): number {
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return (below + equal / 2 + 0.5) / (values.length + 1);
}

const MANY = { minLength: 1, maxLength: 400 };
const ANY = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Orders of values: as they are, sorted, and from both ends to the middle. */
const ORDERS: readonly ((values: readonly number[]) => number[])[] = [
  (values) => [...values],
  (values) => values.toSorted((one, other) => one - other),
  (values) => values.toSorted((one, other) => other - one),
  (values) => {
    const sorted = values.toSorted((one, other) => one - other);
    return sorted.map((_, index) => sorted.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2) ?? 0);
  },
];

function quantilesOf(values: readonly number[]): Quantiles {
  const quantiles = new Quantiles();
  for (const value of values) quantiles.add(value);
  return quantiles;
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
    for (let index = 0; index < 100; index++) quantiles.add(index % 10 < 3 ? 500 : index % 2 === 0 ? 2 : 4);
    expect(quantiles.positionOf(2)).toBe(0);
    expect(quantiles.positionOf(4)).toBeCloseTo(2 / 498, 9);
    expect(quantiles.positionOf(251)).toBeCloseTo(0.5, 9);
    expect([-1e9, 1e9].map((value) => quantiles.positionOf(value))).toEqual([0, 1]);
    expect(quantiles.rankOf(4) - quantiles.rankOf(2)).toBeGreaterThan(0.25);
  });

  it("leaves what most say near the end that it is of: 95 ones and 5 zeros", () => {
    const quantiles = new Quantiles();
    for (let index = 0; index < 100; index++) quantiles.add(Number(index % 20 > 0));
    expect(quantiles.positionOf(0)).toBe(0);
    // Both ends are ones; beside the other values, evened, a one is two thirds of the way up.
    expect(quantiles.positionOf(1)).toBeCloseTo(2 / 3, 9);
  });

  it("leaves a tenth of the values at either side out of the ends, however far out they are", () => {
    const quantiles = new Quantiles();
    for (let index = 0; index < 100; index++) quantiles.add(1 + (index % 5));
    const positions = () => [1, 3, 5].map((value) => Math.round(quantiles.positionOf(value) * 1000) / 1000);
    // Each end is half ones and twos, or half fours and fives.
    expect(positions()).toEqual([0, 0.5, 1]);
    quantiles.add(1e300);
    expect(positions()).toEqual([0, 0.492, 1]);
    for (let index = 0; index < 9; index++) quantiles.add(1e300);
    expect(positions()).toEqual([0, 0.424, 1]);
    // With a fifth of hostile values half of the upper end is out of reach.
    for (let index = 0; index < 15; index++) quantiles.add(1e300);
    expect(quantiles.positionOf(5)).toBeCloseTo(0.5, 9);
  });

  it("moves no position by more than 12 k / n for k hostile values among n, whatever they are and when they come", () => {
    const few = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 1)), MANY);
    const many = fc.oneof(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), MANY), fc.array(ANY, MANY));
    const widely = fc.array(fc.double({ min: 0, max: 20, noNaN: true }).map(Math.exp), MANY);
    const honest = fc.oneof(few, many, widely);
    const hostile = fc.array(fc.oneof(fc.constantFrom(1e300, -1e300, 0, 3, 1000), ANY), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(honest, hostile, fc.constantFrom(...ORDERS), fc.boolean(), (values, others, order, areLast) => {
        const ordered = order(values);
        const all = areLast ? [...ordered, ...others] : [...others, ...ordered];
        // Where more values come than are told apart, ranks are blurred beside that.
        const blurred = new Set(all).size > 64 ? 0.1 : 1e-9;
        const [clean, attacked] = [quantilesOf(ordered), quantilesOf(all)];
        for (const value of [ordered[0] ?? 0, ordered[ordered.length >> 1] ?? 0, ordered.at(-1) ?? 0]) {
          const moved = Math.abs(attacked.positionOf(value) - clean.positionOf(value));
          expect(moved).toBeLessThanOrEqual((12 * others.length) / all.length + blurred);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("ranks within four hundredths in whatever order values come", () => {
    const random = new SeededRandom(3);
    const values = Array.from({ length: 3000 }, () => Math.exp(3 * random.normal()));
    for (const order of ORDERS) {
      const quantiles = quantilesOf(order(values));
      const errors = values.slice(0, 100).map((value) => Math.abs(quantiles.rankOf(value) - exactRank(values, value)));
      expect(Math.max(...errors)).toBeLessThan(0.04);
    }
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

  it("takes values off again", () => {
    const all = quantilesOf([1, 2, 3, 1e300, 2, 1e300]);
    for (const value of [1e300, 1e300, 2, 2, 7]) all.remove(value);
    expect(all.toSnapshot()).toEqual(quantilesOf([1, 3]).toSnapshot());
    const many = quantilesOf(Array.from({ length: 500 }, (_, at) => at));
    for (let at = 250; at < 500; at++) many.remove(at);
    expect(many.count).toBeCloseTo(250, -1);
    expect(many.rankOf(125)).toBeCloseTo(0.5, 1);
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
