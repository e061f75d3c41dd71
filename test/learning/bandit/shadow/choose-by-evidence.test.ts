import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../../../src/learning/bandit/decide.ts";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import type { Objective } from "../../../../src/learning/bandit/settings.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

/**
 * Has one call in twenty get feedback, which a judge agrees with; base is right in half of them. Returns who answers.
 */
function bestOf(goodOfTen: number, price: number, objective: Objective = "quality"): string | undefined {
  const prices = { other: price };
  const state = new WorkloadState({ arms: ["base", "other"], base: "base", feedback: "complete", objective, prices });
  for (let at = 0; at < 100; at++) {
    for (let call = 0; call < 20; call++) learn(state, { kind: "served", family: "a", arm: 0, price: 1 });
    const reward = at % 2;
    learn(state, { kind: "rewarded", family: "a", arm: 0, reward });
    learn(state, { kind: "checked", arm: 0, isGood: reward === 1, reward });
    learn(state, { kind: "graded", family: "a", arm: 0, isGood: reward === 1 });
    learn(state, { kind: "graded", family: "a", arm: 1, isGood: at % 10 < goodOfTen });
  }
  weighEvidence(state);
  const family = state.families.find("a") ?? -1;
  const decision = decide(state, { family, eligible: Uint8Array.of(1, 1), seed: 1 }, new Decision(2));
  return state.arms[decision.best];
}

describe("chooseByEvidence()", () => {
  it("has a dearer model answer that is better with confidence and is expected to earn its price", () => {
    // About .31 better, with a standard deviation of .23; 20 prices more have to earn .1.
    expect(bestOf(8, 21)).toBe("other");
    expect(bestOf(7, 21)).toBe("base");
    expect(bestOf(7, 1)).toBe("base");
  });

  it("has base answer where a better model is not expected to earn its price", () => {
    expect(bestOf(8, 101)).toBe("base");
  });

  it("gives a cheaper model nothing for its price where quality is sought", () => {
    expect(bestOf(5, 0.1)).toBe("base");
    expect(bestOf(8, 0.1)).toBe("other");
  });
});
