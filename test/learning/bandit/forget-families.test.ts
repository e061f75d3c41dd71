import { describe, expect, it } from "vitest";
import { rewardLevel } from "../../../src/learning/bandit/budget-usage.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { forgetFamilies } from "../../../src/learning/bandit/forget-families.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/** Has base be right in nine of ten answers of a family, and the other model in half of them. */
function learnBadly(state: WorkloadState, family: string): void {
  for (let at = 0; at < 60; at++) {
    for (const arm of [0, 1]) learn(state, { kind: "served", family, arm });
    learn(state, { kind: "rewarded", family, arm: 0, reward: at % 10 === 0 ? 0 : 1 });
    learn(state, { kind: "rewarded", family, arm: 1, reward: at % 2 });
  }
}

function learned(families: readonly string[], familyLimit = 1000): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "other"], base: "base", familyLimit });
  for (const family of families) learnBadly(state, family);
  return state;
}

const lossesOf = (state: WorkloadState) => [rewardLevel(state).loss, state.complaints?.lossOf(state.settings)];
const meansIn = (state: WorkloadState, name: string) => {
  const family = state.families.find(name) ?? -1;
  const decision = decide(state, { family, eligible: Uint8Array.of(1, 1), seed: 1 }, new Decision(2));
  return [...decision.means, ...decision.doubts];
};

describe("forgetFamilies()", () => {
  it("leaves no number out, and all other families as they were", () => {
    const state = learned(["a", "b", "c", "d"]);
    const before = ["c", "d"].map((name) => meansIn(state, name));
    forgetFamilies(state, ["a", "b", "none"]);
    expect([...state.families.entries()].toSorted()).toEqual([
      ["c", 2],
      ["d", 1],
    ]);
    expect(["c", "d"].map((name) => meansIn(state, name))).toEqual(before);
    const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(state))));
    expect(["c", "d"].map((name) => meansIn(restored, name))).toEqual(before);
    expect([state.countRequests(), state.rewards]).toEqual([240, 480]);
    learnBadly(state, "a");
    expect(meansIn(state, "c")).not.toEqual(meansIn(state, "none"));
    expect(state.countRequests()).toBe(360);
  });

  it("forgets the last and the only family", () => {
    const state = learned(["a", "b"]);
    forgetFamilies(state, ["b"]);
    expect([...state.families.entries()]).toEqual([["a", 1]]);
    forgetFamilies(state, ["a"]);
    expect([state.families.size, state.countRequests()]).toEqual([1, 0]);
  });

  it("goes on counting what was lost in them against the regret budgets", () => {
    const state = learned(["a", "b", "c"]);
    const [loss, complaints = 0] = lossesOf(state);
    forgetFamilies(state, ["a", "c"]);
    const [after, complaintsAfter] = lossesOf(state);
    expect(after).toBeCloseTo(loss ?? 0, 6);
    expect(complaintsAfter).toBeCloseTo(complaints, 0);
  });
});

describe("families beyond the limit", () => {
  it("leave to the rest what was lost in them", () => {
    const state = learned(["a"], 1);
    const { loss } = rewardLevel(state);
    learn(state, { kind: "served", family: "b", arm: 0 });
    expect(state.families.find("a")).toBeUndefined();
    expect(rewardLevel(state).loss).toBeCloseTo(loss, 6);
  });
});
