import { describe, expect, it } from "vitest";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../../src/learning/bandit/seeded-random.ts";
import { measuresSecond, paysSecond } from "../../../../src/learning/bandit/shadow/asks-second.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

/** A workload of which so many answers are rated and graded by both judges, that are right by these chances. */
function rated(answers: number, first: number, second: number): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "other"], base: "base" });
  const random = new SeededRandom(5);
  for (let at = 0; at < answers; at++) {
    const isLiked = at % 2 === 0;
    const grade = (accuracy: number) => random.uniform() < (isLiked ? accuracy : 1 - accuracy);
    const grades = { isGood: grade(first), isSecondGood: grade(second) };
    learn(state, { kind: "served", family: "a", arm: 0 });
    learn(state, { kind: "checked", arm: 0, ...grades, reward: isLiked ? 1 : 0 });
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward: isLiked ? 1 : 0 });
  }
  weighEvidence(state);
  return state;
}

const asked = (state: WorkloadState) => {
  const random = new SeededRandom(3);
  return Array.from({ length: 200 }, () => measuresSecond(state, random)).filter(Boolean).length;
};

describe("measuresSecond()", () => {
  it("has rated answers graded by both, but for a trickle once the second is known to be of no use", () => {
    expect(asked(rated(0, 0.8, 0.8))).toBe(200);
    expect(asked(rated(100, 0.8, 0.8))).toBe(200);
    const trickle = asked(rated(400, 0.8, 0.5));
    expect(trickle).toBeGreaterThan(5);
    expect(trickle).toBeLessThan(50);
  });
});

describe("paysSecond()", () => {
  const cheap = { alone: 100, both: 120 };

  it("has trials graded by both while neither has proved itself, and not once the second is of no use", () => {
    expect(paysSecond(rated(0, 0.8, 0.8), cheap)).toBe(true);
    expect(paysSecond(rated(400, 0.5, 0.5), cheap)).toBe(false);
  });

  it("asks one that has proved itself, unless its price is above what it tells", () => {
    const state = rated(200, 0.8, 0.8);
    expect(paysSecond(state, cheap)).toBe(true);
    expect(paysSecond(state, { alone: 100, both: 170 })).toBe(true);
    expect(paysSecond(state, { alone: 100, both: 2000 })).toBe(false);
    // Models without a price.
    expect(paysSecond(state, { alone: 0, both: 0 })).toBe(true);
  });

  it("does not ask one that has not proved itself beside a first that has", () => {
    expect(paysSecond(rated(200, 0.9, 0.5), cheap)).toBe(false);
  });

  it("asks it at any price where the first one's grades do not count", () => {
    expect(paysSecond(rated(200, 0.5, 0.9), { alone: 100, both: 2000 })).toBe(true);
  });
});
