import { describe, expect, it } from "vitest";
import { createJudgeCounts, judgeRates } from "../../../../src/learning/bandit/shadow/judge-record.ts";

const RIGHT = { praised: 98, praisedGood: 79, rejected: 98, rejectedGood: 19 };

describe("judgeRates()", () => {
  it("are the shares of good grades among what people liked and disliked", () => {
    const rates = judgeRates({ ...createJudgeCounts(), ...RIGHT }, false);
    expect(rates).toEqual({ truePositive: 0.8, falsePositive: 0.2 });
  });

  it("takes silent answers for praised ones where people only complain, and nowhere else", () => {
    const counts = { ...createJudgeCounts(), silent: 98, silentGood: 59, rejected: 98, rejectedGood: 19 };
    expect(judgeRates(counts, true)).toEqual({ truePositive: 0.6, falsePositive: 0.2 });
    expect(judgeRates(counts, false)).toEqual({ truePositive: 0.5, falsePositive: 0.2 });
  });

  it("takes TPR for no less than the share of good grades of any model for complaints alone", () => {
    const counts = { ...createJudgeCounts(), silent: 98, silentGood: 59, rejected: 98, rejectedGood: 19 };
    const models = [
      { count: 998, good: 559 },
      { count: 998, good: 779 },
      { count: 1, good: 1 },
    ];
    const rates = judgeRates(counts, true, models);
    expect(rates.truePositive).toBeCloseTo(0.78 - 1.28 * Math.sqrt(0.0001716), 9);
    expect(rates.falsePositive).toBe(0.2);
    expect(judgeRates({ ...counts, ...RIGHT }, false, models)).toMatchObject({ truePositive: 0.8 });
    expect(judgeRates(counts, true, models.slice(0, 1)).truePositive).toBe(0.6);
  });
});
