import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { estimateExploring, findProvenShare } from "../../../src/learning/learner/exploring.ts";
import { describeState } from "../../../src/learning/learner/figures.ts";

type Served = readonly [count: number, mean: number];

/** Serves base and another model so many times each, with rewards of these means. */
function served(...ofArms: readonly Served[]): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "other"], base: "base" });
  for (const [arm, [count, mean]] of ofArms.entries()) {
    for (let index = 0; index < count; index++) {
      const reward = Math.floor((index + 1) * mean) - Math.floor(index * mean);
      learn(state, { kind: "served", family: "a", arm });
      learn(state, { kind: "rewarded", family: "a", arm, reward });
    }
  }
  return state;
}

const unproven = () => served([400, 0.5], [16, 0.7]);
const proven = () => served([200, 0.5], [10, 0.8]);

describe("findProvenShare()", () => {
  it("is nothing while another model answers that is ahead by no more than chance, and all once it is for sure", () => {
    expect([describeState(unproven()).routedShare, findProvenShare(unproven())]).toEqual([1, 0]);
    expect([describeState(proven()).routedShare, findProvenShare(proven())]).toEqual([1, 1]);
  });
});

describe("estimateExploring()", () => {
  it("has the share of the calls that chance draws, and what they lose", () => {
    const { share, lost } = estimateExploring(unproven());
    // 416 requests of the family; 2% of its calls are for control.
    expect(share).toBeCloseTo(0.98 * (0.7 / Math.sqrt(417)), 6);
    // Base is drawn in the place of the better one in less than half of them, and is behind by no more than .2.
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(share * 0.5 * 0.2);
  });

  it("is nothing where no other model may answer, and before the first reward", () => {
    expect(estimateExploring(proven(), ["other"]).lost).toBe(0);
    expect(estimateExploring(served())).toEqual({ share: 0, lost: 0 });
  });
});
