import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Grades } from "../../../../src/learning/bandit/shadow/grades.ts";
import { judgeRates } from "../../../../src/learning/bandit/shadow/judge-record.ts";
import { measureJudge, measureTwo } from "../../../../src/learning/bandit/shadow/judge-scale.ts";

function measured(pairs: readonly (readonly [reward: number, isGood: boolean])[], isComplaintsOnly = false) {
  const grades = new Grades(1, 2);
  for (const [reward, isGood] of pairs) grades.addChecked(0, { isGood }, { reward, weight: 1 });
  return measureJudge(grades.record, judgeRates(grades.record, isComplaintsOnly), { isComplaintsOnly });
}

/** Thumbs, of which the judge grades eight of ten right. */
const THUMBS = Array.from({ length: 100 }, (_, at) => {
  const isLiked = at % 2 === 0;
  return [isLiked ? 1 : 0, at % 10 < 8 ? isLiked : !isLiked] as const;
});
/** Ratings around .7, of which the judge grades what is above as good. */
const RATINGS = Array.from({ length: 100 }, (_, at) => [0.6 + (at % 5) * 0.05, at % 5 > 2] as const);

describe("measureJudge()", () => {
  it("finds TPR - FPR of thumbs, and makes a grade the reward that it stands for", () => {
    const scale = measured(THUMBS);
    expect((scale.low + scale.high) / 2).toBeCloseTo(0.6, 1);
    expect(scale.isProven).toBe(true);
    expect(scale.rewardPerGood).toBeCloseTo(1 / 0.6, 1);
  });

  it("does not stretch grades of ratings to thumbs: a good grade is worth no more than ratings differ by", () => {
    const { rewardPerGood, isProven } = measured([RATINGS, RATINGS, RATINGS, RATINGS].flat());
    expect(isProven).toBe(true);
    expect(rewardPerGood).toBeLessThan(0.35);
  });

  it("believes less of a slope the less people have said", () => {
    const [few, many] = [measured(THUMBS.slice(0, 20)), measured(THUMBS)];
    expect(few.slopeDoubt).toBeGreaterThan(4 * many.slopeDoubt);
    expect(few.rewardPerGood).toBeLessThan(many.rewardPerGood);
  });

  it("has not proved a judge that grades by chance, or that people said too little of", () => {
    expect(measured(THUMBS.map(([reward], at) => [reward, at % 4 < 2])).isProven).toBe(false);
    expect(measured(THUMBS.slice(0, 8)).isProven).toBe(false);
  });

  it("is finite whatever people say", () => {
    const pair = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), fc.boolean(), (pairs, isComplaintsOnly) => {
        const { low, high, rewardPerGood, noise, isProven, slopeDoubt } = measured(pairs, isComplaintsOnly);
        expect([low, high, rewardPerGood, noise].every(Number.isFinite)).toBe(true);
        expect(low).toBeLessThan(high);
        if (isProven) expect(Number.isFinite(slopeDoubt)).toBe(true);
      }),
    );
  });
});

describe("measureTwo()", () => {
  /** Thumbs of which the first judge grades eight of ten right; the second one's grades are as told. */
  function measuredTwo(second: (isLiked: boolean, at: number) => boolean, answers = 200) {
    const grades = new Grades(1, 2);
    for (let at = 0; at < answers; at++) {
      const isLiked = at % 2 === 0;
      const isGood = at % 10 < 8 ? isLiked : !isLiked;
      grades.addChecked(0, { isGood, isSecondGood: second(isLiked, at) }, { reward: isLiked ? 1 : 0, weight: 1 });
    }
    const rates = judgeRates(grades.record, false);
    const first = measureJudge(grades.record, rates, { isComplaintsOnly: false });
    return { first, ...measureTwo(grades.two, false, () => []) };
  }
  const noiseOf = ({ noise, rewardPerGood }: { readonly noise: number; readonly rewardPerGood: number }) =>
    noise * rewardPerGood ** 2;

  it("has half of the noise of one judge where both are as good and err apart", () => {
    const { first, part, scale } = measuredTwo((isLiked, at) => (Math.floor(at / 10) % 5 < 4 ? isLiked : !isLiked));
    expect(part).toBeCloseTo(0.5, 1);
    expect(scale.isProven).toBe(true);
    expect(noiseOf(scale) / noiseOf(first)).toBeLessThan(0.62);
  });

  it("gains nothing by a judge that errs where the first one does", () => {
    const { first, part, scale } = measuredTwo((isLiked, at) => (at % 10 < 8 ? isLiked : !isLiked));
    expect(part).toBeCloseTo(0.5, 6);
    expect(noiseOf(scale) / noiseOf(first)).toBeCloseTo(1, 1);
  });

  it("leaves a judge out that is not proven beside one that is, and believes the better one more", () => {
    expect(measuredTwo((_, at) => at % 4 < 2).part).toBe(1);
    const { part } = measuredTwo((isLiked) => isLiked);
    expect(part).toBeGreaterThan(0.3);
    expect(part).toBeLessThan(0.42);
  });

  it("has not proved two judges that both grade by chance, or that people said too little of", () => {
    const grades = new Grades(1, 2);
    for (let at = 0; at < 200; at++) {
      grades.addChecked(0, { isGood: at % 4 < 2, isSecondGood: at % 8 < 4 }, { reward: at % 2, weight: 1 });
    }
    expect(measureTwo(grades.two, false, () => []).scale.isProven).toBe(false);
    expect(measuredTwo((isLiked) => isLiked, 8).scale.isProven).toBe(false);
  });
});
