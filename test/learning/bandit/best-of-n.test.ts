import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { armsOfSeveral, createArmNames } from "../../../src/learning/bandit/best-of-n.ts";
import {
  createEstimates,
  everyArm,
  expectedOfSeveral,
  rankModels,
} from "../../../src/learning/bandit/best-of-n-estimates.ts";
import { Decision, decide, type Hold } from "../../../src/learning/bandit/decide.ts";
import { meanReward, UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { learn, learnedAdvantages } from "../../../src/learning/bandit/learn.ts";
import { calculateCharge, relativePrice } from "../../../src/learning/bandit/prices.ts";
import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ARMS, decideStep, type Step, seedOf, someStep, takeStep } from "./some-workload.ts";

const SEVERAL = ["best,best", "best,second"];
const WITH_SEVERAL = [...ARMS, ...SEVERAL];
const TWICE = WITH_SEVERAL.indexOf("best,best");
const PAIR = WITH_SEVERAL.indexOf("best,second");

function begin(objective: Objective = "quality"): WorkloadState {
  return new WorkloadState({ arms: WITH_SEVERAL, base: "base", feedback: "complete", objective });
}

/** Has arms earn so much in a family, each twenty times. */
function reward(state: WorkloadState, rewards: Readonly<Record<number, number>>, times = 20): void {
  for (let time = 0; time < times; time++) {
    for (const [arm, value] of Object.entries(rewards)) {
      learn(state, { kind: "served", family: "a", arm: Number(arm), price: 1 });
      learn(state, { kind: "rewarded", family: "a", arm: Number(arm), reward: value });
    }
  }
}

/** What is decided for a request of the family, over many draws of chance. */
function decisions(state: WorkloadState, { mask = 1, hold }: { mask?: number; hold?: Hold } = {}): readonly Decision[] {
  const eligible = Uint8Array.from(WITH_SEVERAL, (_, arm) => (arm < ARMS.length ? 1 : mask));
  const family = state.families.find("a") ?? UNSEEN;
  return Array.from({ length: 300 }, (_, index) =>
    decide(state, { family, eligible, seed: seedOf(index), hold }, new Decision(WITH_SEVERAL.length)),
  );
}

function arms(taken: readonly Decision[]): ReadonlySet<number> {
  return new Set(taken.map(({ arm }) => arm));
}

describe("armsOfSeveral()", () => {
  it("offers two answers in two ways, and as many as are allowed", () => {
    expect(armsOfSeveral(1)).toEqual([]);
    expect(armsOfSeveral(2)).toEqual(["best,best", "best,second"]);
    expect(armsOfSeveral(3)).toEqual(["best,best", "best,second", "best,second,third"]);
    expect(armsOfSeveral(4)).toEqual(["best,best", "best,second", "best,second,third,fourth"]);
  });
});

describe("createArmNames()", () => {
  it("names them for models whose configuration has them learned", () => {
    const severalOf = createArmNames([
      { name: "none" },
      { name: "asked", candidates: { max: 3, learned: "off" } },
      { name: "learned", candidates: { max: 3, learned: "unary" } },
    ]);
    expect(["none", "asked", "elsewhere"].flatMap(severalOf)).toEqual([]);
    expect(severalOf("learned")).toEqual(armsOfSeveral(3));
  });
});

describe("everyArm()", () => {
  it("has several answers once their choice is known to be good, or they were given", () => {
    const state = begin();
    expect([...everyArm(state)]).toEqual([1, 1, 1, 1, 0, 0]);
    learn(state, { kind: "rewarded", family: "a", arm: PAIR, reward: 1 });
    expect([...everyArm(state)]).toEqual([1, 1, 1, 1, 0, 1]);
    state.accuracy = 0.8;
    expect([...everyArm(state)]).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe("expectedOfSeveral()", () => {
  const estimates = createEstimates(4);
  estimates.means.set([0.4, 0.8, 0.5]);
  estimates.ranked.set([1, 2, 0]);
  const expected = (accuracy: number, places: readonly number[]) => {
    const state = begin();
    state.accuracy = accuracy;
    return expectedOfSeveral(state, places, estimates);
  };

  it("is the mean of two, and beside it what the choice is right in more often than chance of what they differ in", () => {
    // 0.8 and 0.5 differ in 0.8 * 0.5 + 0.5 * 0.2 = 0.5 of the requests if they have nothing in common, of which three
    // quarters count.
    expect(expected(0.5, [0, 1])).toBeCloseTo(0.65, 12);
    expect(expected(0.9, [0, 1])).toBeCloseTo(0.65 + 0.4 * 0.75 * 0.5, 12);
  });

  it("has two answers of one model differ less", () => {
    // 2 * 0.8 * 0.2 = 0.32, of which three tenths count.
    expect(expected(0.9, [0, 0])).toBeCloseTo(0.8 + 0.4 * 0.3 * 0.32, 12);
  });

  it("holds the best of two against the third", () => {
    const ofTwo = 0.8;
    const differing = 0.75 * (ofTwo * 0.6 + 0.4 * (1 - ofTwo));
    expect(expected(0.9, [0, 1, 2])).toBeCloseTo((ofTwo + 0.4) / 2 + 0.4 * differing, 12);
  });
});

describe("rankModels()", () => {
  it("ranks models that are known, by what they are worth less what is doubtful of it", () => {
    const state = begin();
    const estimates = createEstimates(WITH_SEVERAL.length);
    estimates.eligible.fill(1);
    estimates.worths.set([0.5, 0.6, 0.6, 0.9, 1, 1]);
    estimates.doubts.set([0, 0.1, 0.4, 0, 0, 0]);
    expect(rankModels(state, estimates)).toBe(1);
    expect([...estimates.ranked]).toEqual([0, -1, -1, -1]);
    state.armCounts.set([0, 10, 10, 9]);
    // A third of the doubt is held against a model: 0.6 - 0.03, 0.6 - 0.12. The last one has one reward too few.
    expect(rankModels(state, estimates)).toBe(3);
    expect([...estimates.ranked]).toEqual([1, 0, 2, -1]);
    estimates.eligible[1] = 0;
    rankModels(state, estimates);
    expect([...estimates.ranked]).toEqual([0, 2, -1, -1]);
  });

  it("keeps the four that are worth the most", () => {
    const models = Array.from({ length: 9 }, (_, index) => `model ${index}`);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }), (worths) => {
        const state = new WorkloadState({ arms: models, base: "model 0" });
        state.armCounts.fill(10);
        const estimates = createEstimates(9);
        estimates.eligible.fill(1);
        estimates.worths.set(worths);
        rankModels(state, estimates);
        const ranked = [...estimates.ranked].map((arm) => worths[arm]);
        expect(ranked).toEqual(worths.toSorted((a, b) => b - a).slice(0, 4));
      }),
    );
  });
});

describe("decide()", () => {
  it("decides as if there were no arms of several answers where none may serve", () => {
    const without = { arms: ARMS, base: "base", feedback: "complete" } as const;
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 120 }), (steps) => {
        const [plain, several] = [new WorkloadState(without), begin()];
        for (const step of steps) {
          const of = takeStep(several, { ...step, eligible: [...step.eligible, 0, 0] });
          const { arm, best, choice, worths, doubts } = takeStep(plain, step);
          expect({ arm: of.arm, best: of.best, choice: of.choice }).toEqual({ arm, best, choice });
          expect([...of.worths.subarray(0, ARMS.length)]).toEqual([...worths]);
          expect([...of.doubts.subarray(0, ARMS.length)]).toEqual([...doubts]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("asks for several where their choice is right, of the models that are best in the family", () => {
    const state = begin();
    reward(state, { 0: 0.5 }, 300);
    reward(state, { 1: 0.5, 2: 0.45 });
    state.accuracy = 0.95;
    reward(state, { [PAIR]: 0.8 });
    const [first] = decisions(state);
    expect(first?.best).toBe(PAIR);
    expect([...(first?.ranked ?? [])].slice(0, 3)).toEqual([0, 1, 2]);
    expect(arms(decisions(state, { mask: 0 }))).not.toContain(PAIR);
  });

  it("asks for none where a second answer does not earn its price", () => {
    const state = begin();
    reward(state, { 0: 0.97, 1: 0.97, 2: 0.1 });
    // Of two answers that are nearly always good there is nothing to choose.
    expect(SEVERAL).not.toContain(WITH_SEVERAL[decisions(state)[0]?.best ?? 0]);
  });

  it("leaves them as soon as their rewards say that the choice is worse than was told", () => {
    const state = begin();
    reward(state, { 0: 0.5, 1: 0.5, 2: 0.45 });
    state.accuracy = 0.95;
    const before = meanReward(state, state.families.find("a") ?? UNSEEN, PAIR);
    expect(before).toBeGreaterThan(0.6);
    reward(state, { [PAIR]: 0.4 }, 40);
    expect(meanReward(state, state.families.find("a") ?? UNSEEN, PAIR)).toBeLessThan(0.5);
    expect(decisions(state)[0]?.best).not.toBe(PAIR);
    // Also where it was not asked for yet.
    expect(meanReward(state, UNSEEN, PAIR)).toBeLessThan(before - 0.05);
  });

  it("has two models, and not one of them twice, only where two are known", () => {
    const state = begin();
    state.accuracy = 0.95;
    reward(state, { 0: 0.5 });
    expect(decisions(state).every(({ eligible }) => eligible[PAIR] === 0 && eligible[TWICE] === 1)).toBe(true);
    reward(state, { 1: 0.5 });
    expect(decisions(state)[0]?.eligible[PAIR]).toBe(1);
  });

  it("holds to what operators say", () => {
    const state = begin();
    reward(state, { 0: 0.5, 1: 0.5, 2: 0.45, [PAIR]: 0.9 });
    expect(arms(decisions(state, { hold: { kind: "frozen" } }))).toEqual(new Set([0]));
    expect(arms(decisions(state, { hold: { kind: "pinned", arm: 1 } }))).toEqual(new Set([1]));
    expect(arms(decisions(state, { hold: { kind: "pinned", arm: PAIR } }))).toEqual(new Set([PAIR]));
  });

  it("asks for none where price or time is what matters", () => {
    for (const objective of ["cost", "latency"] as const) {
      const state = begin(objective);
      reward(state, { 0: 0.5, 1: 0.5, [PAIR]: 0.9, [TWICE]: 0.9 });
      expect([...arms(decisions(state))].every((arm) => arm < ARMS.length)).toBe(true);
    }
  });
});

describe("the price of several answers", () => {
  it("is believed to be that of as many of base, and then what was paid for all of them", () => {
    const state = begin();
    expect([TWICE, PAIR].map((arm) => relativePrice(state, arm))).toEqual([2, 2]);
    expect(calculateCharge(state, PAIR, 0)).toBeCloseTo(0.02, 12);
    learn(state, { kind: "served", family: "a", arm: 0, price: 2 });
    for (let time = 0; time < 2; time++) learn(state, { kind: "served", family: "a", arm: PAIR, price: 3 });
    // 2, 1.5 and 1.5 times base.
    expect(relativePrice(state, PAIR)).toBeCloseTo(5 / 3, 12);
    expect(calculateCharge(state, PAIR, 0)).toBeCloseTo((0.02 * 2) / 3, 12);
    // Where a reward has a worth, what they cost is weighed by it, and not once more.
    state.usdPerReward = 1;
    expect(calculateCharge(state, PAIR, 0)).toBe(0);
  });
});

describe("what is learned of several answers", () => {
  it("says nothing of how hard a family is, nor of any model", () => {
    const [without, state] = [begin(), begin()];
    for (const each of [without, state]) reward(each, { 0: 0.5, 1: 0.6 });
    reward(state, { [PAIR]: 0.9 });
    expect([...state.levels]).toEqual([...without.levels]);
    expect(learnedAdvantages(state)).toEqual(learnedAdvantages(without));
    expect(Object.keys(learnedAdvantages(state))).toEqual([...ARMS]);
  });

  it("comes back from a snapshot", () => {
    const everyone = (step: Step): Step => ({
      ...step,
      eligible: [...step.eligible, 1, 1],
      rewards: [...step.rewards, 1, 0.5],
    });
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 60 }), fc.array(someStep, { maxLength: 60 }), (before, after) => {
        const state = begin();
        state.accuracy = 0.8;
        for (const step of before) takeStep(state, everyone(step));
        const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(state))));
        for (const step of after)
          expect({ ...takeStep(restored, everyone(step)) }).toEqual({ ...takeStep(state, everyone(step)) });
        const last = { ...everyone(before[0] ?? after[0] ?? NOTHING), seed: 7 };
        expect(decideStep(restored, last).worths).toEqual(decideStep(state, last).worths);
      }),
      { numRuns: 30 },
    );
  });
});

const NOTHING: Step = { family: "a", seed: 1, eligible: [1, 1, 1, 1], rewards: [0, 0, 0, 0], hasFeedback: false };
