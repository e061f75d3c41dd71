import { describe, expect, it } from "vitest";
import { mergeUsage } from "../../src/cli/merge-usage.ts";
import type { UsageFigures } from "../../src/figures/usage.ts";

const ONE: UsageFigures = {
  calls: 1,
  "failed.calls": 2,
  inputTokens: 3,
  cacheReadTokens: 4,
  cacheWriteTokens: 5,
  outputTokens: 6,
  reasoningTokens: 7,
  "estimated.calls": 8,
  "priced.calls": 9,
  cost: 10,
  "completed.latency.p50": 11,
  "completed.latency.p95": 12,
  "feedback.entries": 13,
  "feedback.booleans": 14,
  "feedback.trues": 15,
};
const SUM: UsageFigures = {
  calls: 2,
  "failed.calls": 4,
  inputTokens: 6,
  cacheReadTokens: 8,
  cacheWriteTokens: 10,
  outputTokens: 12,
  reasoningTokens: 14,
  "estimated.calls": 16,
  "priced.calls": 18,
  cost: 20,
  "completed.latency.p50": null,
  "completed.latency.p95": null,
  "feedback.entries": 26,
  "feedback.booleans": 28,
  "feedback.trues": 30,
};

describe("mergeUsage()", () => {
  it("begins groups with the project, and adds up all but latencies", () => {
    expect(
      mergeUsage([
        { name: "search", report: { groups: [{ values: ["m"], figures: ONE }], total: ONE } },
        { name: "support", report: { groups: [{ values: ["n"], figures: SUM }], total: SUM } },
        { name: "idle", report: { groups: [], total: { ...ONE, calls: 0 } } },
      ]).groups,
    ).toEqual([
      { values: ["search", "m"], figures: ONE },
      { values: ["support", "n"], figures: SUM },
    ]);
  });

  it("has totals and trials of all projects", () => {
    const shadow = { trials: 1, checks: 2, costNanos: null };
    const merged = mergeUsage([
      { name: "a", report: { groups: [], total: ONE, shadow } },
      { name: "b", report: { groups: [], total: ONE, shadow: { trials: 3, checks: 4, costNanos: 5 } } },
    ]);
    expect(merged.total).toEqual(SUM);
    expect(merged.shadow).toEqual({ trials: 4, checks: 6, costNanos: 5 });
  });

  it("tells no feedback where that of one project cannot be read", () => {
    const { total } = mergeUsage([
      { name: "a", report: { groups: [], total: ONE } },
      { name: "b", report: { groups: [], total: { ...ONE, "feedback.entries": null } } },
    ]);
    expect(total).toEqual({ ...SUM, "feedback.entries": null });
  });
});
