import { describe, expect, it } from "vitest";
import { rewardLevel } from "../../../src/learning/bandit/budget-usage.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { priceInReward, relativePrice } from "../../../src/learning/bandit/prices.ts";
import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { adaptSnapshot } from "../../../src/learning/learner/adapt-snapshot.ts";
import { describeState } from "../../../src/learning/learner/figures.ts";

const ARMS = ["base", "dear", "cheap", "unknown"];
const PRICES = { base: 1, dear: 5, cheap: 0.1 };
const SHAPE = { arms: ARMS, base: "base", objective: "quality", feedback: "complete", guarded: [] } as const;

function workload(objective: Objective = "quality", prices: Readonly<Record<string, number>> = PRICES): WorkloadState {
  return new WorkloadState({ ...SHAPE, objective, prices });
}

const pricesOf = (state: WorkloadState): number[] => ARMS.map((_, arm) => relativePrice(state, arm));

describe("relativePrice()", () => {
  it("is that of the catalog before anything was paid, and base's where that has none", () => {
    expect(pricesOf(workload())).toEqual([1, 5, 0.1, 1]);
  });

  it("follows what is paid: ten answers weigh as much as the catalog", () => {
    const state = workload();
    learn(state, { kind: "served", family: "a", arm: 0, price: 10 });
    for (let at = 0; at < 10; at++) learn(state, { kind: "served", family: "a", arm: 1, price: 30 });
    expect(relativePrice(state, 1)).toBe(4);
  });

  it("outlives a snapshot, and follows another catalog", () => {
    const snapshot = takeSnapshot(workload());
    expect(pricesOf(restoreSnapshot(snapshot))).toEqual([1, 5, 0.1, 1]);
    expect(adaptSnapshot(snapshot, { ...SHAPE, prices: PRICES })).toBe(snapshot);
    const changed = restoreSnapshot(adaptSnapshot(snapshot, { ...SHAPE, prices: { unknown: 2 }, rewardPerPrice: 0.1 }));
    expect(pricesOf(changed)).toEqual([1, 1, 1, 2]);
    expect(changed.rewardPerPrice).toBe(0.1);
  });
});

describe("decide() for cost", () => {
  it("asks no model whose price is known to be as high as base's, unless an operator pins it", () => {
    const eligibleFor = (objective: Objective, hold?: { kind: "pinned"; arm: number }) =>
      Array.from(
        decide(workload(objective), { family: 0, eligible: Uint8Array.of(1, 1, 1, 1), seed: 1, hold }, new Decision(4))
          .eligible,
      );
    expect(eligibleFor("cost")).toEqual([1, 0, 1, 1]);
    expect(eligibleFor("cost", { kind: "pinned", arm: 1 })).toEqual([1, 1, 1, 1]);
    expect(eligibleFor("quality")).toEqual([1, 1, 1, 1]);
  });
});

describe("priceInReward()", () => {
  it("is .005 for each price of base that a model costs more where quality is sought, and nothing for a cheap one", () => {
    for (const objective of ["quality", "balanced"] as const) {
      expect(ARMS.map((_, arm) => priceInReward(workload(objective), arm))).toEqual([0, 0.02, 0, 0]);
    }
    expect(ARMS.map((_, arm) => priceInReward(workload("cost"), arm))).toEqual([0, 0, 0, 0]);
  });

  it("is the cost in USD by what a reward is worth, and a saving counts as the model proves itself", () => {
    const stated = (usdPerReward: number, objective: Objective = "quality") =>
      new WorkloadState({ ...SHAPE, objective, prices: PRICES, usdPerReward });
    const state = stated(0.02);
    // Before base was paid for, nobody knows what its price is in USD.
    expect(ARMS.map((_, arm) => priceInReward(state, arm))).toEqual([0, 0.02, 0, 0]);
    // Base costs .002 USD an answer, which is a tenth of a reward.
    for (const price of [1e6, 3e6]) learn(state, { kind: "served", family: "a", arm: 0, price });
    expect(ARMS.map((_, arm) => priceInReward(state, arm))).toEqual([0, expect.closeTo(0.4, 12), 0, 0]);
    for (let at = 0; at < 50; at++) learn(state, { kind: "rewarded", family: "a", arm: 2, reward: 0.5 });
    expect(priceInReward(state, 2)).toBeCloseTo((-0.1 * 0.9) / 2, 12);
    expect(priceInReward(restoreSnapshot(takeSnapshot(state)), 1)).toBeCloseTo(0.4, 12);
    for (const objective of ["cost", "latency"] as const) {
      const other = stated(0.02, objective);
      learn(other, { kind: "served", family: "a", arm: 0, price: 2e6 });
      expect(priceInReward(other, 1)).toBe(0);
    }
  });

  it("is by the whole price of a model of which the catalog knows that it is expensive", () => {
    for (const [usdPerReward, ofBase] of [
      [0, 0.005],
      [1, 0.001],
    ] as const) {
      const state = new WorkloadState({ ...SHAPE, prices: { dear: 37 }, usdPerReward });
      for (let at = 0; at < 100; at++) {
        learn(state, { kind: "served", family: "a", arm: 0, price: 1e6 });
        for (const arm of [1, 3]) learn(state, { kind: "served", family: "a", arm, price: 37e6 });
      }
      // Of one without a price in the catalog an answer counts as ten of base at most.
      const ofUnknown = (10 * 100 + 1) / 101 - 1;
      const expected = [36 * ofBase, ofUnknown * ofBase];
      expect([1, 3].map((arm) => priceInReward(state, arm))).toEqual(expected.map((each) => expect.closeTo(each, 12)));
    }
  });

  it("has no part in the regret budget, which counts rewards alone", () => {
    const lossWith = (usdPerReward: number): number | undefined => {
      const state = new WorkloadState({ ...SHAPE, prices: PRICES, usdPerReward });
      for (let at = 0; at < 200; at++) {
        const arm = at % 2 === 0 ? 0 : 2;
        learn(state, { kind: "served", family: "a", arm, price: arm === 0 ? 1e6 : 0.1e6 });
        learn(state, { kind: "rewarded", family: "a", arm, reward: arm === 0 ? 0.7 : 0.5 });
      }
      return describeState(state).accounts.find(({ name }) => name === "rewards")?.loss;
    };
    expect(lossWith(0.001)).toBe(lossWith(0));
    expect(lossWith(0)).toBeGreaterThan(10);
  });

  it("chooses the model that is worth its price by what a reward is worth", () => {
    const bestWith = (usdPerReward: number): string | undefined => {
      const state = new WorkloadState({ ...SHAPE, prices: { dear: 5, cheap: 0.1 }, usdPerReward });
      for (let at = 0; at < 3000; at++) {
        const arm = at % 3;
        learn(state, { kind: "served", family: "a", arm, price: [1e6, 5e6, 0.1e6][arm] ?? 0 });
        learn(state, { kind: "rewarded", family: "a", arm, reward: [0.6, 0.7, 0.59][arm] ?? 0 });
      }
      const eligible = Uint8Array.of(1, 1, 1, 0);
      return ARMS[decide(state, { family: state.families.find("a") ?? -1, eligible, seed: 1 }, new Decision(4)).best];
    };
    // A price of base is .001 USD: .1 of a reward for four of them, or .01 for nine tenths of one.
    expect([bestWith(10), bestWith(0.03)]).toEqual(["dear", "cheap"]);
    expect(bestWith(0)).toBe("dear");
  });

  it("keeps a model from answering that is a little better and five times as dear", () => {
    const bestWith = (prices: Readonly<Record<string, number>>): string | undefined => {
      const state = workload("quality", prices);
      for (let at = 0; at < 2000; at++) {
        learn(state, { kind: "served", family: "a", arm: at % 2 });
        learn(state, { kind: "rewarded", family: "a", arm: at % 2, reward: at % 2 === 0 ? 0.6 : 0.61 });
      }
      const eligible = Uint8Array.of(1, 1, 0, 0);
      return ARMS[decide(state, { family: state.families.find("a") ?? -1, eligible, seed: 1 }, new Decision(4)).best];
    };
    expect([bestWith({ dear: 1 }), bestWith({ dear: 5 })]).toEqual(["dear", "base"]);
  });
});

describe("rewardLevel()", () => {
  it("keeps the margin of cost in answers: where one in five gets feedback, a fifth of it may be lost in rewards", () => {
    const budgetAt = (every: number, objective: Objective): number => {
      const state = workload(objective);
      learn(state, { kind: "rewarded", family: "a", arm: 0, reward: 1 });
      for (let at = 1; at <= 1000; at++) {
        learn(state, { kind: "served", family: "a", arm: 0 });
        if (at % every === 0 && state.rewards < 1000 / every) {
          learn(state, { kind: "rewarded", family: "a", arm: 0, reward: 1 });
        }
      }
      return rewardLevel(state).budget;
    };
    expect(budgetAt(1, "cost")).toBeCloseTo(17, 9);
    expect(budgetAt(5, "cost")).toBeCloseTo(17 / 5, 9);
    expect(budgetAt(5, "quality")).toBeCloseTo(1.2 + 0.009 * 200, 9);
  });
});

describe("decide() with the objective cost", () => {
  it("goes on measuring base in a family that price took from it", () => {
    const controlOf = (objective: Objective): number => {
      const state = workload(objective);
      for (let at = 0; at < 400; at++) {
        const arm = at % 10 === 0 ? 0 : 2;
        learn(state, { kind: "served", family: "a", arm, price: 1 });
        learn(state, { kind: "rewarded", family: "a", arm, reward: at % 3 === 0 ? 0 : 1 });
      }
      const eligible = Uint8Array.of(1, 1, 1, 1);
      return decide(state, { family: state.families.find("a") ?? -1, eligible, seed: 1 }, new Decision(4))
        .controlChance;
    };
    expect([controlOf("quality"), controlOf("cost")]).toEqual([0.02, 0.15]);
  });
});
