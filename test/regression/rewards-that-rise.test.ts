import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../src/learning/bandit/decide.ts";
import { learn } from "../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import { WorkloadModel } from "../../src/learning/learner/workload-model.ts";

const BEFORE = 3000;
const AFTER = 4000;
const STREAMS = 20;
const SHAPE = {
  arms: ["base", "other"],
  base: "base",
  objective: "quality",
  feedback: "voluntary",
  guarded: [],
} as const;

type Means = readonly [ofBase: number, ofOther: number];

/** Plays calls that are all rated, where mean rewards change at once; returns the other model's mean share since. */
function shareSince(before: Means, after: Means): number {
  let calls = 0;
  for (let seed = 1; seed <= STREAMS; seed++) {
    const { state } = WorkloadModel.begin({ projectId: "p", model: "base" }, SHAPE, {});
    const random = new SeededRandom(seed);
    const decision = new Decision(2);
    for (let call = 0; call < BEFORE + AFTER; call++) {
      const family = state.families.find("a") ?? -1;
      decide(state, { family, eligible: Uint8Array.of(1, 1), seed: random.bits() }, decision);
      const { arm } = decision;
      learn(state, { kind: "served", family: "a", arm });
      const means = call < BEFORE ? before : after;
      const reward = Number(random.uniform() < (means[arm] ?? 0));
      learn(state, { kind: "rewarded", family: "a", arm, reward });
      if (call >= BEFORE) calls += arm;
    }
  }
  return calls / (STREAMS * AFTER);
}

describe("rewards that change while complaints are guarded", () => {
  it("leave the better model its place if they rise for all", () => {
    expect(shareSince([0.4, 0.6], [0.7, 0.9])).toBeGreaterThan(0.8);
  });

  it("leave the better model its place if they fall for all", () => {
    expect(shareSince([0.6, 0.8], [0.3, 0.5])).toBeGreaterThan(0.9);
  });

  it("take it from a model that falls behind base", () => {
    expect(shareSince([0.4, 0.6], [0.4, 0.3])).toBeLessThan(0.1);
  });
});
