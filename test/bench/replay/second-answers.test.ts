import { describe, expect, it } from "vitest";
import { leastCorrelation } from "../policy/least-correlation.ts";
import { MersenneTwister } from "./mersenne-twister.ts";
import type { ReplaySet } from "./replay-set.ts";
import { createSecondAnswers } from "./second-answers.ts";

/**
 * Two families of a thousand prompts each; the first model is right in three of ten of the first and in nine of ten of
 * the second, the other one where it is, or everywhere.
 */
const ROWS = 2000;
const random = new MersenneTwister(7);
const familyOf = Int32Array.from({ length: ROWS }, (_, row) => Number(row >= ROWS / 2));
const scores = Float64Array.from({ length: 3 * ROWS }, () => 0);
for (let row = 0; row < ROWS; row++) {
  const isRight = Number(random.uniform() < (row < ROWS / 2 ? 0.3 : 0.9));
  scores.set([isRight, random.uniform() < 0.2 ? 1 - isRight : isRight, Number(random.uniform() < 0.5)], 3 * row);
}
const SET: ReplaySet = {
  models: ["one", "like it", "other"],
  families: ["hard", "easy"],
  familyOf,
  scores,
  prompts: Array.from({ length: ROWS }, () => ""),
  costs: undefined,
};

/** Correlation of the first answers of a model in a family with further ones, and the mean of these. */
function drawn(correlation: number, family: number) {
  const second = createSecondAnswers(SET, correlation, new MersenneTwister(11));
  const rows = Array.from({ length: ROWS }, (_, row) => row).filter((row) => familyOf[row] === family);
  const pairs = rows.flatMap((row) =>
    Array.from({ length: 10 }, () => [scores[3 * row] ?? 0, second(row, 0)] as const),
  );
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [first, again] = [mean(0), mean(1)];
  const sum = (of: (one: number, other: number) => number) =>
    pairs.reduce((total, [one, other]) => total + of(one - first, other - again), 0);
  return { first, again, correlation: sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b)) };
}

describe("createSecondAnswers()", () => {
  it.each([0, 0.3, 0.7, 1])(
    "draws answers that are as good in their family, and correlate by %d with the first",
    (by) => {
      for (const family of [0, 1]) {
        const { first, again, correlation } = drawn(by, family);
        expect(Math.abs(again - first)).toBeLessThan(0.02);
        expect(Math.abs(correlation - by)).toBeLessThan(0.04);
      }
    },
  );
});

describe("leastCorrelation()", () => {
  it("is what other models tell of a prompt, and nothing of those that have nothing to do with it", () => {
    const alone = { ...SET, models: ["one", "other"], scores: scores.filter((_, cell) => cell % 3 !== 1) };
    expect(leastCorrelation(alone, 0, 0)).toBeLessThan(0.01);
    // Four of five are the same: a correlation of 0.57 with it, and half as much of the mean of it and one that tells
    // nothing is noise.
    expect(leastCorrelation(SET, 0, 0)).toBeGreaterThan(0.12);
    expect(leastCorrelation(SET, 0, 0)).toBeLessThan(0.35);
    const same = {
      ...SET,
      models: ["one", "same"],
      scores: scores.map((_, cell) => scores[3 * Math.floor(cell / 2)] ?? 0).subarray(0, 2 * ROWS),
    };
    expect(leastCorrelation(same, 1, 0)).toBeCloseTo(1, 6);
  });
});
