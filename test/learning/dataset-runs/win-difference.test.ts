import { describe, expect, it } from "vitest";
import { winDifference } from "../../../src/learning/dataset-runs/sum-run.ts";

describe("winDifference()", () => {
  it("knows nothing without a request that was compared", () => {
    expect(winDifference([0, 0], 0)).toBeNull();
  });

  it.each([
    // wins, ties, mean, low, high
    [[23, 17], 60, -0.06, -0.1813, 0.0637],
    [[10, 40], 50, 0.3, 0.1693, 0.4189],
    [[0, 0], 100, 0, -0.0192, 0.0192],
    [[0, 1], 0, 1, -0.5101, 1],
  ] as const)("of %j wins and %i ties", (wins, ties, mean, low, high) => {
    const difference = winDifference(wins, ties);
    expect(difference?.mean).toBeCloseTo(mean, 3);
    expect(difference?.low).toBeCloseTo(low, 3);
    expect(difference?.high).toBeCloseTo(high, 3);
  });

  it("holds the true difference about 19 times in 20", () => {
    let [state, held] = [7, 0];
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (let run = 0; run < 1000; run += 1) {
      const wins: [number, number] = [0, 0];
      for (let pair = 0; pair < 80; pair += 1) {
        const draw = random();
        if (draw < 0.1) wins[0] += 1;
        else if (draw < 0.3) wins[1] += 1;
      }
      const found = winDifference(wins, 80 - wins[0] - wins[1]);
      if (found !== null && found.low <= 0.1 && found.high >= 0.1) held += 1;
    }
    expect(held).toBeGreaterThan(930);
    expect(held).toBeLessThan(970);
  });
});
