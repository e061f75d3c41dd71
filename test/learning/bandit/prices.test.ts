import { describe, expect, it } from "vitest";
import { rewardLevel } from "../../../src/learning/bandit/budget-usage.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { priceInReward, relativePrice } from "../../../src/learning/bandit/prices.ts";
import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { adaptSnapshot } from "../../../src/learning/learner/adapt-snapshot.ts";

const ARMS = ["base", "dear", "cheap", "unknown"];
const PRICES = { base: 1, dear: 5, cheap: 0.1 };
const SHAPE = { arms: ARMS, base: "base", objective: "quality", feedback: "complete", guarded: [] } as const;

function workload(objective: Objective = "quality", prices: Readonly<Record<string, number>> = PRICES): WorkloadState {
  return new WorkloadState({ ...SHAPE, objective, prices });
}

const pricesOf = (state: WorkloadState): number[] => ARMS.map((_, arm) => relativePrice(state, arm));

describe("relativePrice()", () => {
  it("is that of the catalogue before anything was paid, and base's where that has none", () => {
    expect(pricesOf(workload())).toEqual([1, 5, 0.1, 1]);
  });

  it("follows what is paid: ten answers weigh as much as the catalogue", () => {
    const state = workload();
    learn(state, { kind: "served", family: "a", arm: 0, price: 10 });
    for (let at = 0; at < 10; at++) learn(state, { kind: "served", family: "a", arm: 1, price: 30 });
    expect(relativePrice(state, 1)).toBe(4);
  });

  it("outlives a snapshot, and follows another catalogue", () => {
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
