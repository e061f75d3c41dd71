import { describe, expect, it } from "vitest";
import { MersenneTwister, permutation } from "./mersenne-twister.ts";

describe("MersenneTwister", () => {
  it("gives the outputs that Matsumoto and Nishimura list for the default seed", () => {
    const random = new MersenneTwister(5489);
    expect([random.bits(), random.bits(), random.bits()]).toEqual([3499211612, 581869302, 3890346734]);
    for (let index = 3; index < 9999; index++) random.bits();
    // The C++ standard, [rand.predef]: the 10000th of mt19937.
    expect(random.bits()).toBe(4123659995);
  });

  it("gives the numbers of numpy.random.RandomState(0).random_sample()", () => {
    const random = new MersenneTwister(0);
    expect(random.uniform()).toBeCloseTo(0.5488135, 7);
    expect(random.uniform()).toBeCloseTo(0.71518937, 7);
  });

  it.each([
    [42, [8, 1, 5, 0, 7, 2, 9, 4, 3, 6]],
    [0, [2, 8, 4, 9, 1, 6, 7, 3, 0, 5]],
  ])("permutes as numpy.random.RandomState(%i).permutation(10) does", (seed, expected) => {
    expect([...permutation(10, seed)]).toEqual(expected);
  });
});
