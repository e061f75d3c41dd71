import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../../../src/learning/bandit/decide.ts";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { calculatePropensity } from "../../../../src/learning/bandit/propensity.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", "other", "third"];

interface Share {
  readonly good: number;
  readonly of: number;
}

/** A workload whose people rate 5% of base's answers; models have so many good grades of a judge that is mostly right. */
function live(graded: Readonly<Record<number, Share>>): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  for (let at = 0; at < 60; at++) {
    for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 0 });
    const isGood = at % 10 < 6;
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward: isGood ? 1 : 0 });
    learn(state, { kind: "checked", arm: 0, isGood: at % 5 === 4 ? !isGood : isGood, reward: isGood ? 1 : 0 });
  }
  for (let trial = 0; trial < 100; trial++) {
    learn(state, { kind: "graded", family: "a", arm: 0, isGood: trial % 100 < 56 });
  }
  for (const [arm, { good, of }] of Object.entries(graded)) {
    for (let trial = 0; trial < of; trial++) {
      learn(state, { kind: "graded", family: "a", arm: Number(arm), isGood: (trial * good) % of < good });
    }
  }
  weighEvidence(state);
  return state;
}

function decideFor(state: WorkloadState, { isByEvidence = false, seed = 1 } = {}): Decision {
  const eligible = new Uint8Array(ARMS.length).fill(1);
  const family = state.families.find("a") ?? -1;
  return decide(state, { family, eligible, seed, isByEvidence }, new Decision(ARMS.length));
}

describe("isPromising()", () => {
  it("has a model answer a few where only a doubt about the judge is left", () => {
    const state = live({ 1: { good: 72, of: 100 }, 2: { good: 40, of: 100 } });
    expect(decideFor(state)).toMatchObject({ best: 0, exploreChance: 0.05 });
    const chosen = Array.from({ length: 2000 }, (_, seed) => decideFor(state, { seed }));
    const explored = chosen.filter(({ choice }) => choice === "explored");
    expect(new Set(explored.map(({ arm }) => arm))).toEqual(new Set([1]));
    expect(explored.length / chosen.length).toBeCloseTo(0.05, 1);
    const one = chosen[0] ?? new Decision(0);
    expect([0, 1, 2].map((arm) => calculatePropensity(one, arm))).toEqual([
      expect.closeTo(0.951, 6),
      expect.closeTo(0.049, 6),
      0,
    ]);
  });

  it.each([
    ["few trials speak for it", { 1: { good: 29, of: 40 } }],
    ["it is no better than base", { 1: { good: 56, of: 100 } }],
    ["nobody was tried", {}],
  ])("explores on nobody where %s", (_, graded) => {
    expect(decideFor(live(graded)).exploreChance).toBe(0);
  });

  it("explores on nobody where nothing is to be explored on users", () => {
    const state = live({ 1: { good: 72, of: 100 } });
    expect(decideFor(state).exploreChance).toBe(0.05);
    expect(decideFor(state, { isByEvidence: true }).exploreChance).toBe(0);
  });

  it("leaves it to people once fifteen of their rewards tell of the model", () => {
    const state = live({ 1: { good: 72, of: 100 } });
    for (let at = 0; at < 15; at++) {
      for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 1 });
      const isGood = at % 3 > 0;
      learn(state, { kind: "rewarded", family: "a", arm: 1, reward: isGood ? 1 : 0 });
      learn(state, { kind: "checked", arm: 1, isGood, reward: isGood ? 1 : 0 });
    }
    weighEvidence(state);
    expect(decideFor(state).exploreChance).toBe(0);
  });
});
