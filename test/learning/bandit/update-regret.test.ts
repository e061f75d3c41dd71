import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { OBJECTIVES, type Objective } from "../../../src/learning/bandit/settings.ts";
import { pessimisticLoss } from "../../../src/learning/bandit/update-regret.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/** A workload whose other model earns what base earns, ten rewards of it, and was stated to be better or worse. */
function stateOf(stated: number): WorkloadState {
  const state = new WorkloadState({
    arms: ["base", "other"],
    base: "base",
    priors: { other: stated },
    feedback: "complete",
  });
  for (let index = 0; index < 100; index++) {
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward: index % 2 });
    if (index < 10) learn(state, { kind: "rewarded", family: "a", arm: 1, reward: index % 2 });
  }
  return state;
}

/**
 * What the other model earned beside base, and the loss that has to be reckoned with where nothing is held against
 * doubt.
 */
function lossOf(stated: number, objective: Objective) {
  const state = stateOf(stated);
  const { armSums, armBaseSums } = state.account;
  const earned = (armSums[1] ?? 0) - (armBaseSums[1] ?? 0);
  const { belief } = OBJECTIVES[objective];
  return {
    earned,
    loss: pessimisticLoss(state, { doubt: 0, belief }),
    one: pessimisticLoss(state, { doubt: 1, belief }),
  };
}

describe("pessimisticLoss()", () => {
  it.each([
    // Thirty rewards of what was stated, .085 less than that where it is better than base, .06 better at most.
    ["quality", 0.1, 30, 0.015],
    ["quality", 0.4, 30, 0.06],
    ["quality", -0.1, 30, -0.1],
    ["balanced", 0.1, 30, 0.015],
    // Half of them, each .04 less than stated.
    ["cost", 0.1, 15, 0.06],
    ["cost", 0.4, 15, 0.36],
    ["cost", -0.1, 15, -0.14],
    ["latency", 0.1, 15, 0.06],
  ] as const)(
    "counts for %s what was stated, %f better than base, as %i rewards of %f",
    (objective, stated, count, each) => {
      const { earned, loss } = lossOf(stated, objective);
      // Four rewards of nothing beside them.
      expect(loss).toBeCloseTo(-(10 * (earned + count * each)) / (10 + count + 4), 10);
    },
  );

  it("doubts base as much as it is in doubt where what was stated is no difference to it", () => {
    const doubtOf = (objective: Objective) => lossOf(0.1, objective).one - lossOf(0.1, objective).loss;
    expect(doubtOf("cost")).toBeGreaterThan(doubtOf("quality"));
  });
});
