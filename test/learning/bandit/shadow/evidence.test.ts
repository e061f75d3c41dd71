import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../../../src/learning/bandit/decide.ts";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../../src/learning/bandit/seeded-random.ts";
import { chooseByEvidence } from "../../../../src/learning/bandit/shadow/choose-by-evidence.ts";
import { checkPart, chooseTrial, trialPart } from "../../../../src/learning/bandit/shadow/choose-trial.ts";
import { isComplaintsOnly, isFeedbackDense } from "../../../../src/learning/bandit/shadow/feedback-rate.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { restoreSnapshot, takeSnapshot } from "../../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", "good", "bad"];
const EVERYONE = Uint8Array.of(1, 1, 1);

interface Life {
  readonly requests: number;
  /** One of so many requests gets feedback: praise and complaint by turns, or complaints only. */
  readonly every: number;
  readonly praise?: boolean;
  /** How often a grade is right. */
  readonly judge?: number;
  /** Chance of a good grade of `bad`, whatever it is worth. */
  readonly favour?: number;
  /** How often a grade of the second judge is right; there is none if absent. */
  readonly second?: number;
}

/** A workload where base is right in half of its answers, `good` in 90% and `bad` in 10%. */
function live({ requests, every, praise = true, judge = 0.9, favour, second }: Life): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  const random = new SeededRandom(7);
  const isRight = (chance: number) => random.uniform() < chance;
  const grade = (good: boolean) => isRight(good ? judge : 1 - judge);
  const others = new SeededRandom(11);
  const bySecond = (good: boolean) =>
    second !== undefined && { isSecondGood: others.uniform() < (good ? second : 1 - second) };
  for (let at = 0; at < requests; at++) {
    learn(state, { kind: "served", family: "a", arm: 0 });
    const served = isRight(0.5);
    if (at % every === 0 && (praise || !served)) {
      const isGood = grade(served);
      learn(state, { kind: "checked", arm: 0, isGood, ...bySecond(served), reward: served ? 1 : 0 });
      learn(state, { kind: "rewarded", family: "a", arm: 0, reward: served ? 1 : 0 });
    } else if (at % 20 === 1) {
      learn(state, { kind: "checked", arm: 0, isGood: grade(served), ...bySecond(served), reward: undefined });
    }
    if (at % 5 !== 0) continue;
    const arm = 1 + (at % 2);
    const isTrialRight = isRight(arm === 1 ? 0.9 : 0.1);
    const isGood = arm === 2 && favour !== undefined ? isRight(favour) : grade(isTrialRight);
    learn(state, { kind: "graded", family: "a", arm: 0, isGood: grade(served), ...bySecond(served) });
    learn(state, { kind: "graded", family: "a", arm, isGood, ...bySecond(isTrialRight) });
  }
  weighEvidence(state);
  return state;
}

function decideFor(state: WorkloadState): Decision {
  const family = state.families.find("a") ?? -1;
  return decide(state, { family, eligible: EVERYONE, seed: 1 }, new Decision(ARMS.length));
}

describe("decide() where feedback is rare", () => {
  it("serves what a judge that has proved itself finds better, and explores nothing on users", () => {
    const state = live({ requests: 2000, every: 20 });
    expect(isFeedbackDense(state)).toBe(false);
    expect(decideFor(state)).toMatchObject({ best: 1, exploreChance: 0, controlChance: 0.02 });
    expect(state.evidence.gradeWeight).toBeGreaterThan(0.2);
  });

  it("stays at base without a judge, or with one that is right by chance only", () => {
    expect(decideFor(live({ requests: 2000, every: 20, judge: 0.5 })).best).toBe(0);
    const unjudged = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
    for (let at = 0; at < 2000; at++) {
      learn(unjudged, { kind: "served", family: "a", arm: 0 });
      if (at % 20 === 0) learn(unjudged, { kind: "rewarded", family: "a", arm: 0, reward: at % 40 === 0 ? 1 : 0 });
    }
    expect(decideFor(unjudged)).toMatchObject({ best: 0, exploreChance: 0 });
  });

  it("learns from grades alone where people only complain", () => {
    const state = live({ requests: 4000, every: 20, praise: false });
    expect(isComplaintsOnly(state)).toBe(true);
    expect(decideFor(state).best).toBe(1);
  });

  it("believes people of a model that the judge favours", () => {
    const state = live({ requests: 2000, every: 20, favour: 0.98 });
    expect(decideFor(state).means[2]).toBeGreaterThan(0.8);
    for (let at = 0; at < 60; at++) {
      learn(state, { kind: "checked", arm: 2, isGood: true, reward: 0 });
      learn(state, { kind: "rewarded", family: "a", arm: 2, reward: 0 });
    }
    weighEvidence(state);
    expect(decideFor(state).means[2]).toBeLessThan(0.3);
  });

  it("explores where feedback is dense, and less once grades count", () => {
    const state = live({ requests: 200, every: 2 });
    expect(isFeedbackDense(state)).toBe(true);
    expect(decideFor(state).exploreChance).toBeCloseTo(0.5 * (0.7 / Math.sqrt(201)), 3);
  });

  it("decides alike after a snapshot", () => {
    const state = live({ requests: 2000, every: 20 });
    const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(state))));
    expect(decideFor(restored)).toEqual(decideFor(state));
  });
});

describe("two judges", () => {
  const alone = live({ requests: 2000, every: 20, judge: 0.8 });
  const both = live({ requests: 2000, every: 20, judge: 0.8, second: 0.8 });
  const doubtOf = (state: WorkloadState) => decideFor(state).doubts[1] ?? 0;

  it("count more together than the first one alone, and leave less doubt", () => {
    expect(both.evidence.alone.weight).toBeCloseTo(alone.evidence.alone.weight, 6);
    expect(both.evidence.gradeWeight).toBeGreaterThan(1.2 * alone.evidence.gradeWeight);
    expect(doubtOf(both)).toBeLessThan(0.95 * doubtOf(alone));
    expect(decideFor(both).best).toBe(1);
  });

  it("believe no model that the first one favors alone as much as it does", () => {
    const life = { requests: 2000, every: 20, judge: 0.8, favour: 0.98 };
    const [byOne, byBoth] = [live(life), live({ ...life, second: 0.8 })].map((state) => decideFor(state).means[2] ?? 0);
    expect(byBoth).toBeLessThan((byOne ?? 0) - 0.2);
  });

  it("count as the first one where the second grades by chance, and as the second where the first does", () => {
    const uselessSecond = live({ requests: 2000, every: 20, judge: 0.8, second: 0.5 });
    expect(uselessSecond.evidence.both).toMatchObject({ part: 1 });
    expect(decideFor(uselessSecond).best).toBe(1);
    const uselessFirst = live({ requests: 2000, every: 20, judge: 0.5, second: 0.9 });
    expect(uselessFirst.evidence).toMatchObject({ alone: { weight: 0 }, both: { part: 0 } });
    expect(decideFor(uselessFirst).best).toBe(1);
  });

  it("keep what the first one graded alone before there was a second", () => {
    const state = live({ requests: 2000, every: 20, judge: 0.8 });
    const before = decideFor(state).means[1] ?? 0;
    for (let at = 0; at < 200; at++) {
      const isGood = at % 2 === 0;
      learn(state, { kind: "checked", arm: 0, isGood, isSecondGood: isGood, reward: isGood ? 1 : 0 });
    }
    weighEvidence(state);
    expect(state.evidence.both.weight).toBeGreaterThan(0);
    expect(decideFor(state).means[1]).toBeGreaterThan(before - 0.15);
    expect(decideFor(state).best).toBe(1);
  });

  it("learn from grades alone where people only complain", () => {
    const state = live({ requests: 4000, every: 20, praise: false, judge: 0.8, second: 0.8 });
    expect(isComplaintsOnly(state)).toBe(true);
    expect(state.evidence.both.weight).toBeGreaterThan(0);
    expect(decideFor(state).best).toBe(1);
  });

  it("decide alike after a snapshot", () => {
    const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(both))));
    expect(decideFor(restored)).toEqual(decideFor(both));
    expect(restored.evidence.both).toEqual(both.evidence.both);
  });
});

describe("chooseTrial()", () => {
  const request = { family: 1, eligible: EVERYONE };

  it("asks no more what is surely worse, but for a trickle", () => {
    const state = live({ requests: 3000, every: 20 });
    // People have judged all of them too: it is known that the judge favours none.
    for (const arm of [0, 1, 2]) {
      for (let at = 0; at < 40; at++) {
        const isGood = at % 2 === 0;
        learn(state, { kind: "checked", arm, isGood: at % 10 === 3 ? !isGood : isGood, reward: isGood ? 1 : 0 });
      }
    }
    const random = new SeededRandom(3);
    const asked = Array.from({ length: 200 }, () => chooseTrial(state, { ...request, served: 0 }, random));
    expect(new Set(asked)).toEqual(new Set([1]));
    const settled = Array.from({ length: 400 }, () => chooseTrial(state, { ...request, served: 1 }, random));
    expect(settled.filter((arm) => arm !== undefined).length).toBeGreaterThan(10);
    expect(settled.filter((arm) => arm !== undefined).length).toBeLessThan(90);
  });

  it("asks nothing of models that may not answer", () => {
    const state = live({ requests: 100, every: 20 });
    const random = new SeededRandom(3);
    expect(chooseTrial(state, { family: 1, eligible: Uint8Array.of(1, 0, 0), served: 0 }, random)).toBeUndefined();
  });
});

describe("chooseByEvidence()", () => {
  it("asks a lead of a whole standard deviation of two judges of recorded requests, and else of .8", () => {
    const choose = (state: WorkloadState, confidence?: number) =>
      chooseByEvidence(state, state.families.find("a") ?? -1, decideFor(state), confidence);
    const lengths = Array.from({ length: 30 }, (_, at) => 500 + 50 * at);
    const states = (second?: number) =>
      lengths
        .map((requests) => live({ requests, every: 20, judge: 0.7, ...(second !== undefined && { second }) }))
        .filter(({ evidence }) => evidence.gradeWeight > 0);
    const [ofOne, ofTwo] = [states(), states(0.7).filter(({ evidence }) => evidence.both.weight > 0)];
    expect(ofOne.map((state) => choose(state))).toEqual(ofOne.map((state) => choose(state, 0.8)));
    const ordinary = ofTwo.map((state) => choose(state));
    expect(ordinary).toEqual(ofTwo.map((state) => choose(state, 0.8)));
    for (const state of [...ofOne, ...ofTwo]) state.recordedTrials = 1;
    expect(ofOne.map((state) => choose(state))).toEqual(ofOne.map((state) => choose(state, 0.8)));
    expect(ofTwo.map((state) => choose(state))).toEqual(ofTwo.map((state) => choose(state, 1)));
    expect(ofTwo.map((state) => choose(state))).not.toEqual(ordinary);
  });
});

describe("trialPart()", () => {
  it("is full while a judge is measured or counts, and a tenth before feedback and once it has failed", () => {
    expect(trialPart(new WorkloadState({ arms: ARMS, base: "base" }))).toBe(0.1);
    expect(trialPart(live({ requests: 60, every: 20 }))).toBe(1);
    expect(trialPart(live({ requests: 2000, every: 20 }))).toBe(1);
    expect(trialPart(live({ requests: 2000, every: 20, judge: 0.5 }))).toBe(0.1);
    // Forty thumbs tell a judge that grades at random from one that is of use.
    expect(trialPart(live({ requests: 800, every: 20, judge: 0.5 }))).toBe(0.1);
    expect(trialPart(live({ requests: 800, every: 20 }))).toBe(1);
  });
});

describe("checkPart()", () => {
  it("is full while a judge looks useless, since hostile raters make a good one look so, until it has failed", () => {
    expect(checkPart(new WorkloadState({ arms: ARMS, base: "base" }))).toBe(0.1);
    expect(checkPart(live({ requests: 800, every: 20, judge: 0.5 }))).toBe(1);
    expect(checkPart(live({ requests: 2000, every: 20, judge: 0.5 }))).toBe(0.1);
    expect(checkPart(live({ requests: 2000, every: 20 }))).toBe(1);
  });
});
