import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";

describe("SeededRandom", () => {
  it("draws the same for the same seed, and something else for another", () => {
    const draws = (seed: number): number[] => {
      const random = new SeededRandom(seed);
      return [random.uniform(), random.normal(), random.uniform()];
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
    const random = new SeededRandom(8);
    random.normal();
    random.reseed(7);
    expect(random.uniform()).toBe(draws(7)[0]);
  });

  it("draws evenly from 0 to 1, also as the first draw of neighbouring seeds", () => {
    const firsts = Array.from({ length: 20_000 }, (_, seed) => new SeededRandom(seed).uniform());
    const tenths = new Array<number>(10).fill(0);
    for (const draw of firsts) tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1;
    // Each tenth is within five standard deviations (42) of what it should be.
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(212);
  });

  it("draws normal numbers of mean 0 and variance 1", () => {
    const random = new SeededRandom(1);
    const draws = Array.from({ length: 40_000 }, () => random.normal());
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean)).toBeLessThan(0.025);
    expect(Math.abs(variance - 1)).toBeLessThan(0.035);
    expect(draws.filter((draw) => Math.abs(draw) > 1.96).length / draws.length).toBeCloseTo(0.05, 2);
  });
});
