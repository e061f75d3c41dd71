import { describe, expect, it } from "vitest";
import { Grades } from "../../../../src/learning/bandit/shadow/grades.ts";

/** Grades of both judges of an arm: of each ten answers the first finds six good, the second four. */
function graded(families: number, family: number, answers: number): Grades {
  const grades = new Grades(families, 2);
  for (let at = 0; at < answers; at++) {
    grades.add(family, 1, { isGood: at % 10 < 6, ...(at % 2 === 0 && { isSecondGood: at % 10 < 4 }) });
  }
  return grades;
}

const figuresOf = ({ counts, goods, bothCounts, bothGoods, secondGoods }: Grades, family: number) =>
  [counts, goods, bothCounts, bothGoods, secondGoods].map((values) => values[2 * family + 1] ?? 0);

describe("Grades", () => {
  it("counts what both judges graded among what the first one did", () => {
    expect(figuresOf(graded(1, 0, 100), 0)).toEqual([100, 60, 50, 30, 20]);
    expect(graded(1, 0, 100).byArm()[1]).toEqual({
      count: 100,
      good: 60,
      bothCount: 50,
      bothGood: 30,
      secondGood: 20,
    });
  });

  it("moves the grades of both judges with their family, and counts none twice", () => {
    const grades = graded(4, 1, 100);
    grades.merge(1, 2);
    expect([figuresOf(grades, 1), figuresOf(grades, 2)]).toEqual([
      [0, 0, 0, 0, 0],
      [100, 60, 50, 30, 20],
    ]);
    const tried = graded(2, 0, 20);
    grades.divide(2, tried, [
      { from: 0, to: 0, share: 0.75 },
      { from: 1, to: 3, share: 0.25 },
    ]);
    expect(figuresOf(grades, 2)).toEqual([0, 0, 0, 0, 0]);
    expect(figuresOf(grades, 0)).toEqual([80, 48, 40, 24, 16]);
    expect(figuresOf(grades, 3)).toEqual([20, 12, 10, 6, 4]);
  });

  it("believes a part of what is known of an arm, by both judges alike", () => {
    const grades = graded(1, 0, 100);
    grades.addChecked(1, { isGood: true, isSecondGood: true }, { reward: 1, weight: 1 });
    grades.fade(1, 0.5);
    expect(figuresOf(grades, 0)).toEqual([50, 30, 25, 15, 10]);
    expect([grades.pairs.both.counts[1], grades.secondPairGoods[1]]).toEqual([0.5, 0.5]);
  });

  it("takes a check off again as far as it counts less, and no more than is left of it", () => {
    const grades = new Grades(1, 2);
    const check = { isGood: true, isSecondGood: false };
    grades.addChecked(1, check, { reward: 1, weight: 1 });
    grades.addChecked(1, check, { reward: 1, weight: -0.75 });
    const { record, two, pairs, secondPairGoods } = grades;
    expect([record.praised, record.praisedGood, record.goodRewardSum]).toEqual([0.25, 0.25, 0.25]);
    expect([two.second.praised, two.second.praisedGood]).toEqual([0.25, 0]);
    expect([pairs.both.counts[1], pairs.both.goods[1], secondPairGoods[1]]).toEqual([0.25, 0.25, 0]);
    grades.fade(1, 0.1);
    grades.addChecked(1, check, { reward: 1, weight: -0.25 });
    expect([record.praised, pairs.both.counts[1], pairs.both.rewards[1]]).toEqual([0, 0, 0]);
  });
});
