import { describe, expect, it } from "vitest";
import { createJudgeCounts, judgeRates } from "../../../../src/learning/bandit/shadow/judge-record.ts";

const RIGHT = { praised: 98, praisedGood: 79, rejected: 98, rejectedGood: 19 };

describe("judgeRates()", () => {
  it("counts grades by the square of TPR - FPR once the judge has proved itself", () => {
    const rates = judgeRates({ ...createJudgeCounts(), ...RIGHT }, false);
    expect(rates).toMatchObject({ truePositive: 0.8, falsePositive: 0.2 });
    expect(rates.weight).toBeCloseTo(0.36, 12);
    expect(rates.low).toBeCloseTo(0.6 - 1.28 * Math.sqrt(0.0032), 12);
    expect(rates.high).toBeCloseTo(0.6 + 1.28 * Math.sqrt(0.0032), 12);
  });

  it.each([
    ["has too few answers of a sign", { praised: 400, praisedGood: 400, rejected: 4, rejectedGood: 0 }],
    ["may be no better than chance", { praised: 30, praisedGood: 18, rejected: 30, rejectedGood: 12 }],
    ["prefers what people reject", { praised: 98, praisedGood: 19, rejected: 98, rejectedGood: 79 }],
  ])("counts none of a judge that %s", (_, counts) => {
    expect(judgeRates({ ...createJudgeCounts(), ...counts }, false).weight).toBe(0);
  });

  it("takes silent answers for praised ones where people only complain, and nowhere else", () => {
    const counts = { ...createJudgeCounts(), silent: 98, silentGood: 59, rejected: 98, rejectedGood: 19 };
    expect(judgeRates(counts, true)).toMatchObject({ truePositive: 0.6, falsePositive: 0.2 });
    expect(judgeRates(counts, false).weight).toBe(0);
  });

  it("takes TPR for no less than the share of good grades of any model for complaints alone, and weighs as before", () => {
    const counts = { ...createJudgeCounts(), silent: 98, silentGood: 59, rejected: 98, rejectedGood: 19 };
    const models = [
      { count: 998, good: 559 },
      { count: 998, good: 779 },
      { count: 1, good: 1 },
    ];
    const rates = judgeRates(counts, true, models);
    expect(rates.truePositive).toBeCloseTo(0.78 - 1.28 * Math.sqrt(0.0001716), 9);
    expect(rates).toMatchObject({ ...judgeRates(counts, true), truePositive: rates.truePositive });
    expect(judgeRates({ ...counts, ...RIGHT }, false, models)).toMatchObject({ truePositive: 0.8 });
    expect(judgeRates(counts, true, models.slice(0, 1)).truePositive).toBe(0.6);
  });
});
