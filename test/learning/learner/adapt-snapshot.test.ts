import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { adaptSnapshot, type StateShape } from "../../../src/learning/learner/adapt-snapshot.ts";

const SHAPE: StateShape = {
  arms: ["base", "good", "gone"],
  base: "base",
  objective: "quality",
  feedback: "voluntary",
  guarded: ["speed"],
};

/** The snapshot of a workload in which each model was served and rewarded in two families. */
function snapshot() {
  const state = new WorkloadState(SHAPE);
  for (const family of ["a", "b"]) {
    for (const arm of [0, 1, 2]) {
      learn(state, { kind: "served", family, arm, price: 100 * (arm + 1) });
      learn(state, { kind: "rewarded", family, arm, reward: arm / 2 });
      learn(state, { kind: "measured", family, arm, metric: "speed", value: 1 });
    }
  }
  return takeSnapshot(state);
}

describe("adaptSnapshot()", () => {
  it("leaves a snapshot as it is that fits", () => {
    const given = snapshot();
    expect(adaptSnapshot(given, SHAPE)).toBe(given);
  });

  it("carries models over by their names", () => {
    const given = snapshot();
    const state = restoreSnapshot(adaptSnapshot(given, { ...SHAPE, arms: ["new", "good", "base"] }));
    expect(state.arms).toEqual(["new", "good", "base"]);
    expect(state.base).toBe(2);
    expect([...state.armCounts]).toEqual([0, 2, 2]);
    expect([...state.armSums]).toEqual([0, 1, 0]);
    // The rest and two families, each with three models.
    expect([...state.counts].slice(0, 9)).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 1]);
    expect([...state.requests].slice(0, 3)).toEqual([0, 3, 3]);
  });

  it("learns prices anew under another objective, and nothing else", () => {
    const given = snapshot();
    expect(given.byArm.armPriceCounts).toEqual([0, 2, 2]);
    const cost = adaptSnapshot(given, { ...SHAPE, objective: "cost" });
    const { armPriceCounts, armPriceSums, ...byArm } = cost.byArm;
    expect([armPriceCounts, armPriceSums]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const { armPriceCounts: _, armPriceSums: __, ...before } = given.byArm;
    expect(byArm).toEqual(before);
    expect(restoreSnapshot(cost).objective).toBe("cost");
  });

  it("begins accounts that are new, and drops those that are not wanted any more", () => {
    const given = snapshot();
    const complete = adaptSnapshot(given, { ...SHAPE, feedback: "complete", guarded: ["speed", "success"] });
    const state = restoreSnapshot(complete);
    expect(state.complaints).toBeUndefined();
    expect(state.guarded.get("speed")?.observations).toBe(6);
    expect(state.guarded.get("success")?.observations).toBe(0);
    const again = restoreSnapshot(adaptSnapshot(complete, SHAPE));
    expect(again.complaints?.observations).toBe(0);
    expect([...again.guarded.keys()]).toEqual(["speed"]);
  });
});
