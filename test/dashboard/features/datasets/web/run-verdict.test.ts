import { describe, expect, it } from "vitest";
import { runVerdict } from "../../../../../src/dashboard/features/datasets/web/run-verdict.ts";
import { winDifference } from "../../../../../src/learning/dataset-runs/sum-run.ts";

const NO_SIDE = { answered: 0, failed: 0, passed: 0, good: 0, costNanos: null, medianMs: null, p95Ms: null };

function verdict(
  wins: readonly [number, number],
  ties: number,
  graded: number,
  { gradeNanos = null, unanswered = 0 }: { gradeNanos?: number | null; unanswered?: number } = {},
) {
  const side = (at: 0 | 1) => ({ ...NO_SIDE, graded, wins: wins[at] });
  const counts = { done: 0, skipped: 0, ties, unanswered, gradeNanos, difference: winDifference(wins, ties) };
  return runVerdict(["large", "small"], { ...counts, sides: [side(0), side(1)] });
}

describe("runVerdict()", () => {
  it("says nothing before a request was compared", () => {
    expect(verdict([0, 0], 0, 0)).toBeUndefined();
  });

  it("says that nothing was compared where both models failed each time", () => {
    expect(verdict([0, 0], 0, 0, { unanswered: 7 })).toBe(
      "Nothing was compared: large and small failed in each request.",
    );
  });

  it("does not take ties for equality where nothing could tell answers apart", () => {
    expect(verdict([0, 0], 100, 0)).toMatch(/^Nothing tells these answers apart: no judge graded them/);
  });

  it("does not say that there was no judge where its grades were paid for", () => {
    const text = "the judge didn't return a readable grade";
    expect(verdict([0, 0], 100, 0, { gradeNanos: 5000 })).toContain(
      `${text}, and checks found them alike. Run again, and choose another judge`,
    );
    expect(verdict([10, 40], 50, 0, { gradeNanos: 5000 })).toContain(`By checks alone: ${text}.`);
  });

  it.each([
    [[10, 40], 50, "small wins more often than large (95% interval 17 to 42 points, 100 requests)."],
    [[40, 10], 50, "small wins less often than large (95% interval −42 to −17 points, 100 requests)."],
    [
      [23, 17],
      60,
      "No difference is shown: small is at most 18 points worse than large and at most 6 points better (95% interval " +
        "−18 to 6 points, 100 requests).",
    ],
  ] as const)("of %j wins and %i ties", (wins, ties, says) => {
    expect(verdict(wins, ties, 100)).toBe(says);
    expect(verdict(wins, ties, 0)).toBe(`${says} By checks alone: no judge graded them.`);
  });
});
