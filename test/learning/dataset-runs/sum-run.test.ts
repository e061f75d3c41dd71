import { describe, expect, it } from "vitest";
import { type CountedAnswer, getScore, sumRun } from "../../../src/learning/dataset-runs/sum-run.ts";

const answer = (inferenceId: string, side: 0 | 1, changes: Partial<CountedAnswer> = {}): CountedAnswer => ({
  inferenceId,
  side,
  outcome: "answered",
  inputTokens: 10,
  outputTokens: 5,
  costNanos: 3,
  gradeNanos: null,
  latencyMs: 100,
  failedChecks: [],
  isGood: null,
  ...changes,
});

describe("getScore()", () => {
  it.each([
    [{}, 1],
    [{ isGood: true }, 1],
    [{ isGood: false }, 0],
    [{ isGood: true, failedChecks: ["invalid_json"] }, 0],
    [{ outcome: "failed" }, 0],
    [{ outcome: "skipped" }, undefined],
  ] as const)("of %j is %s", (changes, score) => {
    expect(getScore(answer("i", 0, changes))).toBe(score);
  });
});

describe("sumRun()", () => {
  it("counts wins, ties and what was skipped, and adds up cost and latency", () => {
    const answers = [
      ...[answer("a", 0, { isGood: true, gradeNanos: 2 }), answer("a", 1, { isGood: false, gradeNanos: 2 })],
      ...[answer("b", 0, { latencyMs: 300 }), answer("b", 1, { failedChecks: ["cut"], costNanos: 4 })],
      ...[answer("c", 0, { isGood: false }), answer("c", 1, { outcome: "failed", latencyMs: null, costNanos: null })],
      ...[answer("d", 0, { outcome: "skipped" }), answer("d", 1, { outcome: "skipped" })],
      answer("e", 1),
      // Nobody answered: that is no tie.
      ...[
        answer("f", 0, { outcome: "failed", costNanos: null }),
        answer("f", 1, { outcome: "failed", costNanos: null }),
      ],
    ];
    const { sides, difference, ...totals } = sumRun(answers);
    expect(totals).toEqual({ done: 6, skipped: 1, ties: 1, unanswered: 1, gradeNanos: 4 });
    expect(difference?.mean).toBeCloseTo(-2 / 3);
    expect(sides[0]).toEqual({
      answered: 3,
      failed: 1,
      passed: 3,
      graded: 2,
      good: 1,
      wins: 2,
      costNanos: 12,
      medianMs: 100,
      p95Ms: 300,
    });
    expect(sides[1]).toMatchObject({ answered: 3, failed: 2, passed: 2, graded: 1, good: 0, wins: 0, costNanos: 13 });
  });

  it("knows nothing of a run that has only begun", () => {
    const { sides, ...totals } = sumRun([]);
    expect(totals).toEqual({ done: 0, skipped: 0, ties: 0, unanswered: 0, difference: null, gradeNanos: null });
    expect(sides[1]).toMatchObject({ answered: 0, costNanos: null, medianMs: null, p95Ms: null });
  });
});
