import { describe, expect, it } from "vitest";
import { guardsHaveRoom } from "../../../src/learning/bandit/budget-usage.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/** Two models of which each tenth answer gets a complaint; nobody praises. */
function complainedOf(objective: Objective, count: number): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "equal"], base: "base", objective });
  for (let at = 0; at < count; at++) {
    const arm = at % 2;
    learn(state, { kind: "served", family: "tag:a", arm });
    if (at % 20 < 2) learn(state, { kind: "rewarded", family: "tag:a", arm, reward: 0 });
  }
  return state;
}

describe("guardsHaveRoom() of complaints", () => {
  it("has the objective's own margin where it has one, so that an equal model can be used", () => {
    expect(guardsHaveRoom(complainedOf("quality", 600))).toBe(false);
    expect(guardsHaveRoom(complainedOf("cost", 600))).toBe(true);
    expect(guardsHaveRoom(complainedOf("latency", 600))).toBe(true);
  });
});
