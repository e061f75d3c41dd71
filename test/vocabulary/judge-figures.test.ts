import { describe, expect, it } from "vitest";
import { describeJudge, describeSecondJudge, type JudgeFigures } from "../../src/vocabulary/judge-figures.ts";

const FIGURES: JudgeFigures = {
  liked: 31,
  disliked: 26,
  silent: 0,
  truePositive: 0.7879,
  falsePositive: 0.2143,
  low: 0.4378,
  high: 0.7094,
  weight: 0.329,
  second: null,
};

describe("describeJudge()", () => {
  it("tells the rates with the interval of their difference, and what a grade counts as", () => {
    expect(describeJudge(FIGURES)).toBe(
      "TPR 0.79, FPR 0.21, difference 0.57 (0.44 to 0.71), by 57 graded answers with feedback (31 liked, 26 disliked); " +
        "a grade counts as 0.33 of a reward",
    );
  });

  it("tells of a judge that has not proved itself, and of silent answers", () => {
    const unproven = { ...FIGURES, liked: 0, silent: 12.4, low: 0.05, weight: 0 };
    expect(describeJudge(unproven)).toBe(
      "TPR 0.79, FPR 0.21, difference 0.38 (0.05 to 0.71), by 26 graded answers with feedback (0 liked, 26 disliked), " +
        "and 12 without that count as liked; grades do not count until the lower end is above 0.1",
    );
  });

  it("says by how many answers it is not known yet", () => {
    expect(describeJudge(null)).toBe("not yet known: 0 graded answers with feedback");
    const few = { ...FIGURES, liked: 1, disliked: 0 };
    expect(describeJudge(few)).toBe("not yet known: 1 graded answer with feedback (1 liked, 0 disliked)");
    expect(describeJudge({ ...FIGURES, disliked: 4 })).toBe(
      "not yet known: 35 graded answers with feedback (31 liked, 4 disliked)",
    );
  });
});

describe("describeSecondJudge()", () => {
  const { weight: _, second: __, ...rates } = FIGURES;

  it("tells what a grade of both counts as, and how much of it is the second one's", () => {
    expect(describeSecondJudge({ ...rates, weightTogether: 0.48, part: 0.55 })).toBe(
      "TPR 0.79, FPR 0.21, difference 0.57 (0.44 to 0.71), by 57 graded answers with feedback (31 liked, 26 disliked); " +
        "a grade of both counts as 0.48 of a reward, 55% of it by this judge",
    );
  });

  it("tells of one that adds nothing to the first, that counts for nothing with it, or that is not known", () => {
    expect(describeSecondJudge({ ...rates, weightTogether: 0.3, part: 0 })).toContain(
      "; it has not proved itself alongside the first one, so its grades do not count",
    );
    expect(describeSecondJudge({ ...rates, weightTogether: 0, part: 0.5 })).toContain(
      "; grades do not count until the lower end is above 0.1",
    );
    expect(describeSecondJudge(null)).toBe("not yet known: 0 graded answers with feedback");
  });
});
