import { describe, expect, it } from "vitest";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { fadedPart, ordinaryPart } from "../../../../src/learning/bandit/shadow/faded-part.ts";
import { restoreSnapshot, takeSnapshot } from "../../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

describe("ordinaryPart()", () => {
  it("leaves a fifth of the share at least", () => {
    expect([fadedPart(0), fadedPart(200), fadedPart(10_000)]).toEqual([1, 0.5, 0.2]);
  });

  it("counts trials of others once somebody was asked for recorded requests, also after a restart", () => {
    const state = new WorkloadState({ arms: ["base", "other"], base: "base" });
    for (let trial = 0; trial < 200; trial++) {
      for (const arm of [0, 1]) learn(state, { kind: "graded", family: "tag:a", arm, isGood: true });
    }
    expect(ordinaryPart(state)).toBe(1);
    state.recordedTrials = 1;
    expect(ordinaryPart(restoreSnapshot(takeSnapshot(state)))).toBe(0.5);
  });
});
