import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../../../src/learning/bandit/decide.ts";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../../src/learning/bandit/seeded-random.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", ...Array.from({ length: 11 }, (_, at) => `model-${at}`)];

/** A workload whose base has so many thumbs of 5% of its calls; each other model has so many grades in its trials. */
function live(thumbs: number, grades: readonly number[], judge = 0.8): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  const random = new SeededRandom(5);
  const grade = (isGood: boolean) => (random.uniform() < judge ? isGood : !isGood);
  for (let at = 0; at < thumbs; at++) {
    for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 0 });
    const isGood = at % 10 < 6;
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward: isGood ? 1 : 0 });
    learn(state, { kind: "checked", arm: 0, isGood: grade(isGood), reward: isGood ? 1 : 0 });
  }
  for (const [at, share] of grades.entries()) {
    for (let trial = 0; trial < 20; trial++) {
      learn(state, { kind: "graded", family: "a", arm: 0, isGood: grade(trial % 10 < 6) });
      learn(state, { kind: "graded", family: "a", arm: 1 + at, isGood: grade(trial < 20 * share) });
    }
  }
  weighEvidence(state);
  return state;
}

function decideFor(state: WorkloadState): Decision {
  const eligible = new Uint8Array(ARMS.length).fill(1);
  return decide(state, { family: state.families.find("a") ?? -1, eligible, seed: 1 }, new Decision(ARMS.length));
}

describe("estimateModels()", () => {
  it("believes little of the luckiest of eleven models that are alike", () => {
    const { effects, means, gradeWeight } = live(
      100,
      Array.from({ length: 11 }, () => 0.6),
    ).evidence;
    expect(gradeWeight).toBeGreaterThan(0);
    const most = (values: Float64Array) => Math.max(...values.slice(1));
    expect(most(means)).toBeGreaterThan(0.05);
    expect(most(effects) - (effects[0] ?? 0)).toBeLessThan(0.6 * most(means));
  });

  it("doubts the more the less people have said of the judge", () => {
    const doubtOf = (thumbs: number) => live(thumbs, [0.95]).evidence.effectVariances[1] ?? 0;
    expect(doubtOf(30)).toBeGreaterThan(doubtOf(300));
  });
});

describe("decide() by evidence", () => {
  it("has base answer until it has ten rewards", () => {
    expect(decideFor(live(60, [1], 0.95)).best).toBe(1);
    const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
    for (let at = 0; at < 40; at++) {
      for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 1 });
      learn(state, { kind: "rewarded", family: "a", arm: at < 36 ? 1 : 0, reward: at < 36 ? 1 : 0 });
    }
    weighEvidence(state);
    expect(decideFor(state).best).toBe(0);
  });

  it("gives base a fifth of the calls while people have said less of it than of a model that may be better", () => {
    const state = live(60, [1], 0.95);
    expect(decideFor(state)).toMatchObject({ best: 1, controlChance: 0.02 });
    for (let at = 0; at < 80; at++) {
      const isGood = at % 40 < 25;
      learn(state, { kind: "rewarded", family: "a", arm: 1, reward: isGood ? 1 : 0 });
      learn(state, { kind: "checked", arm: 1, isGood, reward: isGood ? 1 : 0 });
      for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 1 });
    }
    weighEvidence(state);
    expect(decideFor(state)).toMatchObject({ best: 1, controlChance: 0.2 });
  });
});
