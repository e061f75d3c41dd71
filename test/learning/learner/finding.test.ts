import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { listFindings } from "../../../src/learning/learner/finding.ts";
import { pickFinding } from "../../../src/vocabulary/finding.ts";

const PRICES = [1, 0.2, 2];

/** A workload whose base answers alone, with feedback on each; a judge right in nine of ten grades compares others. */
function observed(skills: readonly number[], count: number) {
  const state = new WorkloadState({ arms: ["base", "cheap", "dear"], base: "base" });
  for (let at = 0; at < count; at++) {
    const family = `tag:${at % 2}`;
    const goods = skills.map((skill, arm) => ((at + 7 * arm) * 0.618034) % 1 < skill);
    const gradeOf = (arm: number) => (at % 10 === 3 ? !goods[arm] : goods[arm] === true);
    learn(state, { kind: "served", family, arm: 0, price: 1 });
    learn(state, { kind: "rewarded", family, arm: 0, reward: goods[0] ? 1 : 0 });
    learn(state, { kind: "checked", arm: 0, isGood: gradeOf(0), reward: goods[0] ? 1 : 0 });
    for (const arm of [1, 2]) {
      learn(state, { kind: "served", family, arm, price: PRICES[arm] ?? 1 });
      learn(state, { kind: "graded", family, arm, isGood: gradeOf(arm) });
    }
  }
  return state;
}

const pick = (state: WorkloadState, excluded: readonly string[] = []) => pickFinding(listFindings(state), excluded);

describe("listFindings()", () => {
  it("names the best of the better models, with its evidence and the judge's agreement with people", () => {
    const finding = pick(observed([0.3, 0.35, 0.95], 600));
    expect(finding).toMatchObject({ model: "dear", rewards: 0, comparisons: 600, agreement: 0.9 });
    expect(finding?.low).toBeGreaterThan(0);
    expect(finding?.price).toBeGreaterThan(1.5);
  });

  it("names the cheapest that is about as good where none is better", () => {
    const finding = pick(observed([0.9, 0.9, 0.9], 6000));
    expect(finding?.model).toBe("cheap");
    expect(finding?.price).toBeLessThan(0.3);
  });

  it("leaves out excluded models, and says nothing before there is evidence", () => {
    expect(pick(observed([0.3, 0.35, 0.95], 600), ["dear"])?.model).toBe("cheap");
    expect(pick(observed([0.3, 0.35, 0.95], 10))).toBeUndefined();
  });
});
