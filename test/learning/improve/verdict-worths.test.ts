import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { weighEvidence } from "../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { getVerdictWorths } from "../../../src/learning/improve/verdict-worths.ts";

const ARMS = ["base", "good", "poor", "untried"];
const [BASE, GOOD, POOR] = [0, 1, 2];

/** A workload whose judge has proved itself; 60 answers of each model were graded. */
function graded({ isProven = true } = {}): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base" });
  for (let at = 0; at < 400; at++) learn(state, { kind: "served", family: "a", arm: BASE });
  for (let at = 0; at < 40; at++) {
    const reward = at % 2;
    learn(state, { kind: "rewarded", family: "a", arm: BASE, reward });
    const isGood = isProven ? (at % 5 === 0) !== (reward === 1) : at % 4 < 2;
    learn(state, { kind: "checked", arm: BASE, isGood, reward });
  }
  for (const [arm, share] of [0.5, 0.7, 0.2].entries()) {
    for (let at = 0; at < 60; at++) learn(state, { kind: "graded", family: "a", arm, isGood: at / 60 < share });
  }
  weighEvidence(state);
  return state;
}

function judge(state: WorkloadState, arm: number, rewards: readonly number[]): void {
  for (const reward of rewards) {
    learn(state, { kind: "checked", arm, isGood: reward === 1, reward });
    learn(state, { kind: "judged", family: "a", arm, reward });
  }
  weighEvidence(state);
}

describe("getVerdictWorths()", () => {
  it("is the most of a model that may be better, and nothing of base", () => {
    const worths = getVerdictWorths(graded());
    expect(worths[BASE]).toBe(0);
    expect(worths[GOOD]).toBeGreaterThan(0);
    expect(worths[GOOD]).toBeGreaterThan(3 * (worths[POOR] ?? 0));
  });

  it("falls with each verdict", () => {
    const state = graded();
    const before = getVerdictWorths(state)[GOOD] ?? 0;
    judge(state, GOOD, [1, 0, 1, 1, 0, 1, 1, 1]);
    expect(getVerdictWorths(state)[GOOD]).toBeLessThan(before / 2);
  });

  it("is nothing while the judge has not proved itself, and before any request", () => {
    expect([...getVerdictWorths(graded({ isProven: false }))]).toEqual([0, 0, 0, 0]);
    expect([...getVerdictWorths(new WorkloadState({ arms: ARMS, base: "base" }))]).toEqual([0, 0, 0, 0]);
  });
});

describe("a verdict", () => {
  it("is evidence on its model, and no reward that users were served", () => {
    const [state, other] = [graded(), graded()];
    const { rewards } = state;
    judge(state, GOOD, Array(10).fill(0));
    for (let at = 0; at < 10; at++) learn(other, { kind: "checked", arm: GOOD, isGood: false, reward: 0 });
    weighEvidence(other);
    expect(state.evidence.counts[GOOD]).toBeCloseTo((other.evidence.counts[GOOD] ?? 0) + 10, 5);
    expect(state.evidence.effects[GOOD]).toBeLessThan((other.evidence.effects[GOOD] ?? 0) - 0.05);
    expect([state.rewards, state.armCounts[GOOD], state.account.armCounts[GOOD]]).toEqual([rewards, 0, 0]);
  });
});
