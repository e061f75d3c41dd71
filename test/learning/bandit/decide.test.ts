import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInGain } from "../../../src/learning/bandit/budget-usage.ts";
import { Decision, draw } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { calculatePropensity } from "../../../src/learning/bandit/propensity.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ReferencePolicy } from "./reference-policy.ts";
import { ARMS, decideStep, seedOf, someStep, takeStep } from "./some-workload.ts";

const EVERYONE = ARMS.map(() => 1);
const REWARDS = ARMS.map(() => 0);

function request(index: number, family = "a") {
  return { family, seed: seedOf(index), eligible: EVERYONE, rewards: REWARDS, hasFeedback: false };
}

/** A workload in which one arm has been found to be much better than base. */
function learnedWorkload(): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  for (let index = 0; index < 60; index++) {
    for (let arm = 0; arm < 2; arm++) {
      learn(state, { kind: "served", family: "a", arm });
      learn(state, { kind: "rewarded", family: "a", arm, reward: arm === 1 ? 0.9 : index % 3 === 0 ? 1 : 0 });
    }
  }
  return state;
}

describe("decide()", () => {
  it("never serves another than base while the account, summed up anew from all rewards, may be overdrawn", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 150 }), fc.integer({ min: 0, max: 2 }), (steps, cruelty) => {
        const state = new WorkloadState({ arms: ARMS, base: "base", priors: { good: 0.3 }, feedback: "complete" });
        const reference = new ReferencePolicy(0, [0, 0.3, undefined, undefined]);
        for (const step of steps) {
          // Two in three runs punish whoever is not base.
          const rewards = cruelty === 0 ? step.rewards : ARMS.map((_, arm) => (arm === 0 ? 1 : 0));
          const { arm, hasRoom } = takeStep(state, { ...step, rewards });
          if (arm !== 0 && reference.loss() > reference.budget() + 1e-9) return false;
          if (arm !== 0 && !hasRoom) return false;
          if (step.hasFeedback) reference.learn(step.family, arm, rewards[arm] ?? 0);
        }
        return true;
      }),
      { numRuns: 60 },
    );
  });

  it("stops serving an arm that disappoints, and serves base alone until the budget has grown", () => {
    const state = new WorkloadState({ arms: ARMS, base: "base", priors: { good: 0.5 }, feedback: "complete" });
    const served = Array.from({ length: 400 }, (_, index) => {
      const rewards = ARMS.map((_, arm) => (arm === 0 ? 1 : 0));
      return takeStep(state, { ...request(index), rewards, hasFeedback: true });
    });
    const deviating = served.filter(({ arm }) => arm !== 0).length;
    expect(deviating).toBeGreaterThan(0);
    expect(deviating).toBeLessThan(8);
    const closed = served.filter(({ hasRoom }) => !hasRoom);
    expect(closed.length).toBeGreaterThan(5);
    expect(new Set(closed.map((decision) => `${decision.arm} ${calculatePropensity(decision, 0)}`))).toEqual(
      new Set(["0 1"]),
    );
  });

  it("serves base alone where it is frozen, whatever has been learned", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 60 }), (steps) => {
        const state = learnedWorkload();
        return steps.every((step) => {
          const decision = takeStep(state, step, { kind: "frozen" });
          return decision.arm === 0 && calculatePropensity(decision) === 1;
        });
      }),
      { numRuns: 40 },
    );
  });

  it("serves a pinned arm wherever it may serve, and base elsewhere", () => {
    const state = new WorkloadState({ arms: ARMS, base: "base" });
    const pinned = { kind: "pinned", arm: 2 } as const;
    for (let index = 0; index < 50; index++) {
      const chosen = decideStep(state, request(index), pinned);
      expect([chosen.arm, calculatePropensity(chosen), chosen.choice]).toEqual([2, 1, "only"]);
      expect(decideStep(state, { ...request(index), eligible: [1, 1, 0, 1] }, pinned).arm).toBe(0);
    }
  });

  it("serves no arm that may not serve, and base even if it is not listed as one that may", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 60 }), (steps) => {
        const state = learnedWorkload();
        return steps.every((step) => {
          const { arm } = takeStep(state, step);
          return arm === 0 || step.eligible[arm] === 1;
        });
      }),
      { numRuns: 40 },
    );
    expect(decideStep(learnedWorkload(), { ...request(1), eligible: [0, 0, 0, 0] }).arm).toBe(0);
  });

  it("serves what it has found to be better, and keeps base as a control", () => {
    const state = learnedWorkload();
    const served = Array.from({ length: 3000 }, (_, index) => decideStep(state, request(index)));
    const share = (arm: number): number => served.filter((decision) => decision.arm === arm).length / served.length;
    expect(share(1)).toBeGreaterThan(0.95);
    expect(share(0)).toBeGreaterThan(0.012);
    expect(served.filter(({ choice }) => choice === "control").every(({ arm }) => arm === 0)).toBe(true);
  });

  it("plays base more while base has too few rewards to be held against", () => {
    const state = learnedWorkload();
    expect(decideStep(state, request(0)).controlChance).toBe(0.02);
    for (let index = 0; index < 4000; index++) {
      learn(state, { kind: "served", family: "a", arm: 1 });
      learn(state, { kind: "rewarded", family: "b", arm: 0, reward: 1 });
    }
    expect(decideStep(state, request(0)).controlChance).toBe(0.15);
  });

  it("trusts what speaks against an arm the less while exploring, the longer a family is served", () => {
    const widthAfter = (requests: number): number => {
      const state = learnedWorkload();
      for (let index = 60 * 2; index < requests - 1; index++) {
        learn(state, { kind: "served", family: "a", arm: 1 });
        learn(state, { kind: "rewarded", family: "b", arm: 0, reward: 1 });
      }
      return decideStep(state, request(0)).exploreWidth;
    };
    // The square root of 3 times the binary logarithm of requests by 300, this one counted, and never below 1.
    expect(widthAfter(300)).toBe(1);
    expect(widthAfter(310)).toBe(1);
    expect(widthAfter(600)).toBeCloseTo(1.7320508, 6);
    expect(widthAfter(2400)).toBe(3);
  });

  it("is curious about a model that is in doubt once the account is in gain, and careful before", () => {
    const bestAfter = (rewardOfGood: number): string => {
      const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
      for (let index = 0; index < 300; index++) {
        learn(state, { kind: "rewarded", family: "a", arm: 0, reward: index % 2 });
        if (index % 3 === 0) learn(state, { kind: "rewarded", family: "a", arm: 1, reward: rewardOfGood });
        learn(state, { kind: "rewarded", family: "b", arm: 0, reward: index % 2 });
      }
      for (const reward of [1, 0]) learn(state, { kind: "rewarded", family: "b", arm: 2, reward });
      expect(isInGain(state)).toBe(rewardOfGood > 0.5);
      // Where arm 1 may not serve, arm 2 is left, of which little is known.
      const { best } = decideStep(state, { ...request(0, "b"), eligible: [1, 0, 1, 0] });
      return ARMS[best] ?? "";
    };
    expect(bestAfter(0.5)).toBe("base");
    expect(bestAfter(1)).toBe(ARMS[2]);
  });

  it("plays base until it has a reward, once others have three", () => {
    const state = new WorkloadState({ arms: ARMS, base: "base", priors: { good: 0.5 }, feedback: "complete" });
    const chances = [0, 1, 2, 3].map(() => {
      const { controlChance } = decideStep(state, request(0));
      learn(state, { kind: "rewarded", family: "a", arm: 1, reward: 1 });
      return controlChance;
    });
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward: 0 });
    expect([...chances, decideStep(state, request(0)).controlChance]).toEqual([0, 0.15, 0.15, 1, 0.02]);
  });

  it("can be worked out again from its record", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 80 }), (steps) => {
        const state = learnedWorkload();
        return steps.every((step) => {
          const decision = takeStep(state, step);
          // As it comes back from a database.
          const record = JSON.parse(
            JSON.stringify({ ...decision, worths: [...decision.worths], doubts: [...decision.doubts] }),
          );
          const again = new Decision(ARMS.length);
          again.eligible.set([...decision.eligible]);
          again.worths.set(record.worths);
          again.doubts.set(record.doubts);
          const { best, base, controlChance, exploreChance, exploreWidth, seed } = record;
          draw(Object.assign(again, { best, base, controlChance, exploreChance, exploreWidth, seed }));
          return again.arm === decision.arm && calculatePropensity(again) === calculatePropensity(decision);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("changes nothing of the state, and decides alike as often as it is asked", () => {
    const state = learnedWorkload();
    const once = Array.from({ length: 200 }, (_, index) => decideStep(state, request(index)).arm);
    const twice = Array.from({ length: 200 }, (_, index) => decideStep(state, request(index)).arm);
    expect(twice).toEqual(once);
  });
});

describe("calculatePropensity()", () => {
  it("is the frequency with which arms are chosen, and sums up to 1", () => {
    const state = new WorkloadState({
      arms: ARMS,
      base: "base",
      feedback: "complete",
      priors: { bad: -0.1, odd: 0.05 },
    });
    for (const reward of [0.4, 0.6, 0.5]) learn(state, { kind: "rewarded", family: "a", arm: 0, reward });
    const decision = decideStep(state, request(0));
    const expected = ARMS.map((_, arm) => calculatePropensity(decision, arm));
    expect(expected.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 4);
    const runs = 60_000;
    const counts = ARMS.map(() => 0);
    for (let index = 0; index < runs; index++) {
      const { arm } = decideStep(state, request(index));
      counts[arm] = (counts[arm] ?? 0) + 1;
    }
    for (const [arm, chance] of expected.entries()) {
      const deviation = Math.sqrt((chance * (1 - chance)) / runs);
      expect(Math.abs((counts[arm] ?? 0) / runs - chance)).toBeLessThan(5 * deviation);
    }
    expect(Math.min(...expected)).toBeGreaterThan(0.002);
  });

  it("is Thompson's chance by the difference of two normal draws, where there are two arms", () => {
    const decision = new Decision(2);
    decision.eligible.fill(1);
    decision.worths.set([0.5, 0.6]);
    decision.doubts.set([0.3, 0.4]);
    Object.assign(decision, { controlChance: 0, exploreChance: 1 });
    // The difference has mean 0.1 and standard deviation 0.5; the normal distribution is 0.57926 at 0.2.
    expect(calculatePropensity(decision, 1)).toBeCloseTo(0.57926, 4);
    // Twice as doubtful: 0.1 of a standard deviation of 1, and 0.53983 of the normal distribution.
    decision.exploreWidth = 2;
    expect(calculatePropensity(decision, 1)).toBeCloseTo(0.53983, 4);
  });
});
