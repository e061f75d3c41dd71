import { describe, expect, it } from "vitest";
import { RunningMean } from "../../src/replay/running-mean.ts";
import { MersenneTwister } from "../bench/replay/mersenne-twister.ts";

describe("RunningMean", () => {
  it("has the mean of its values, and no interval before there are two", () => {
    const mean = new RunningMean();
    expect(mean.interval()).toBeUndefined();
    mean.add(1);
    expect(mean.interval()).toBeUndefined();
    mean.add(0);
    mean.add(0);
    mean.add(1);
    expect(mean.interval()).toMatchObject({ mean: 0.5 });
  });

  it("is as wide as the published formula says", () => {
    const mean = new RunningMean();
    for (let index = 0; index < 1000; index++) mean.add(index % 2);
    // rho^2 = (-2 ln .05 + ln(-2 ln .05 + 1)) / 1000 = .00793746; n rho^2 + 1 = 8.93746; variance = .25 * 1000/999
    // sqrt(.25025 * 2 * 8.93746 / (1000^2 * .00793746) * ln(sqrt(8.93746) / .05)) = sqrt(5.63557e-4 * 4.08596) =
    // .047986
    const { low, high } = mean.interval() ?? { low: 0, high: 0 };
    expect(high - 0.5).toBeCloseTo(0.04799, 4);
    expect(0.5 - low).toBeCloseTo(0.04799, 4);
  });

  it("holds the truth at every number of values at once, in 95 of 100 runs", () => {
    let fooled = 0;
    for (let seed = 0; seed < 200; seed++) {
      const chance = new MersenneTwister(seed);
      const mean = new RunningMean();
      let isFooled = false;
      for (let index = 0; index < 2000 && !isFooled; index++) {
        mean.add(chance.uniform() < 0.3 ? 1 : 0);
        const { low, high } = mean.interval() ?? { low: 0, high: 1 };
        // It is asymptotic: it says nothing of the first few.
        isFooled = index > 50 && (low > 0.3 || high < 0.3);
      }
      fooled += isFooled ? 1 : 0;
    }
    expect(fooled).toBeLessThanOrEqual(10);
  });
});
