import { describe, expect, it } from "vitest";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { restoreSnapshot, takeSnapshot } from "../../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

interface Life {
  /** Answers of `other`, and the complaints about them; the judge finds two of three of these good. */
  readonly answers: number;
  readonly complaints: number;
}

/**
 * A workload whose users complain of 4% of base's answers. The judge, right in 80%, grades 56% of base's answers good
 * and 77% of the other model's.
 */
function live({ answers, complaints }: Life): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "other"], base: "base" });
  const complain = (arm: number, isGood: boolean): void => {
    learn(state, { kind: "checked", arm, isGood, reward: 0 });
    learn(state, { kind: "rewarded", family: "a", arm, reward: 0 });
  };
  complain(0, false);
  for (let at = 0; at < 1000; at++) {
    learn(state, { kind: "served", family: "a", arm: 0 });
    if (at % 25 === 0) complain(0, at % 125 === 0);
    if (at % 20 === 1) learn(state, { kind: "checked", arm: 0, isGood: at % 100 < 60, reward: undefined });
    if (at % 10 !== 0) continue;
    learn(state, { kind: "graded", family: "a", arm: 0, isGood: at % 1000 < 560 });
    learn(state, { kind: "graded", family: "a", arm: 1, isGood: at % 1000 < 770 });
  }
  for (let at = 0; at < answers; at++) learn(state, { kind: "served", family: "a", arm: 1 });
  for (let at = 0; at < complaints; at++) complain(1, at % 3 < 2);
  weighEvidence(state);
  return state;
}

const biasOf = (life: Life): number => live(life).evidence.biases[1] ?? 0;

describe("compareComplaints()", () => {
  it("does not hold the grades of few complaints against a model that people hardly complain of", () => {
    // Three complaints of 75 answers are as many as of base, and of 600 an eighth.
    expect(biasOf({ answers: 75, complaints: 3 })).toBeGreaterThan(0.12);
    expect(Math.abs(biasOf({ answers: 600, complaints: 3 }))).toBeLessThan(0.08);
  });

  it("takes a model for a favourite of the judge that people complain of as much as of base", () => {
    expect(biasOf({ answers: 600, complaints: 24 })).toBeGreaterThan(0.3);
  });

  it("doubts the less what it knows of more answers", () => {
    const doubtOf = (life: Life) => live(life).evidence.biasVariances[1] ?? 0;
    expect(doubtOf({ answers: 600, complaints: 3 })).toBeLessThan(doubtOf({ answers: 75, complaints: 3 }));
  });

  it("says nothing once people praise in more than a quarter of what they say", () => {
    const state = live({ answers: 600, complaints: 24 });
    const { biases } = state.evidence;
    const [before] = biases.slice(1);
    const praise = () => learn(state, { kind: "rewarded", family: "a", arm: 0, reward: 1 });
    // Who praises bad answers among hundreds that complain does not change what silence says.
    praise();
    weighEvidence(state);
    expect(state.evidence.gradeWeight).toBeGreaterThan(0);
    for (let at = 0; at < 24; at++) praise();
    weighEvidence(state);
    expect(state.evidence.gradeWeight).toBe(0);
    expect(state.evidence.biases[1]).not.toBe(before);
  });

  it("finds the same after a snapshot", () => {
    const state = live({ answers: 600, complaints: 3 });
    const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(state))));
    expect(restored.evidence.biases).toEqual(state.evidence.biases);
    expect(restored.armDecisions).toEqual(state.armDecisions);
  });
});
