import { describe, expect, it } from "vitest";
import { describeFinding, type Finding } from "../../src/vocabulary/finding.ts";

const FINDING: Finding = {
  model: "haiku",
  gain: 0.123,
  low: 0.081,
  high: 0.164,
  price: 0.2,
  rewards: 0,
  comparisons: 312,
  agreement: 0.843,
};

const wouldAnswer = (baseNanos: number | null) => ({ baseNanos, isAnswering: false });

describe("describeFinding()", () => {
  it("says how well a model would answer, with its interval, price, evidence and money", () => {
    expect(describeFinding(FINDING, wouldAnswer(10e9))).toBe(
      "haiku would answer 12% better (8% to 16%) at x0.20 of the price: 312 comparisons, " +
        "the judge agrees with your users in 84%. It would have saved 8.00 USD.",
    );
  });

  it.each([
    [{ gain: 0.001, low: -0.01, high: 0.012 }, "haiku would answer about as well (-1% to 1%)"],
    [{ gain: 0.001, low: -0.2, high: 0.2 }, "haiku may answer as well (-20% to 20%)"],
    [{ gain: 0.08, low: -0.02, high: 0.18 }, "haiku may answer 8% better (-2% to 18%)"],
    [{ gain: -0.08, low: -0.18, high: 0.02 }, "haiku may answer 8% worse (-18% to 2%)"],
    [{ gain: -0.1, low: -0.15, high: -0.05 }, "haiku would answer 10% worse (-15% to -5%)"],
  ])("claims no more than the interval of %j", (figures, start) => {
    expect(describeFinding({ ...FINDING, ...figures }, wouldAnswer(null))).toMatch(`${start} at x0.20`);
  });

  it("says what a dearer model costs, and names only the evidence that there is", () => {
    const finding = { ...FINDING, price: 1.5, rewards: 1, comparisons: 0, agreement: null };
    expect(describeFinding(finding, wouldAnswer(2e9))).toBe(
      "haiku would answer 12% better (8% to 16%) at x1.50 of the price: 1 reward. It would have cost 1.00 USD more.",
    );
  });

  it("promises nothing of a model that answers already", () => {
    expect(describeFinding(FINDING, { baseNanos: 10e9, isAnswering: true })).toBe(
      "haiku answers 12% better (8% to 16%) at x0.20 of the price: 312 comparisons, " +
        "the judge agrees with your users in 84%.",
    );
  });
});
