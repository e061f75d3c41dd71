import { expect } from "vitest";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";

/** A workload with feedback on every second call: base is right in half of those answers. */
export function denseWorkload({ isJudged }: { readonly isJudged: boolean }): WorkloadState {
  const state = new WorkloadState({ arms: ["base", "good", "poor"], base: "base", feedback: "complete" });
  for (let at = 0; at < 400; at++) {
    learn(state, { kind: "served", family: "a", arm: 0 });
    const reward = at % 4 === 0 ? 1 : 0;
    if (at % 2 === 0) learn(state, { kind: "rewarded", family: "a", arm: 0, reward });
    if (!isJudged) continue;
    // Right in nine of ten grades.
    if (at % 2 === 0) learn(state, { kind: "checked", arm: 0, isGood: (reward === 1) !== at % 20 < 2, reward });
    if (at % 4 === 0) learn(state, { kind: "graded", family: "a", arm: 1, isGood: at % 20 > 0 });
    if (at % 4 === 0) learn(state, { kind: "graded", family: "a", arm: 0, isGood: at % 8 === 0 });
  }
  weighEvidence(state);
  return state;
}

/** Has people dislike answers of the poor model until that is so. */
export function dislikeUntil(state: WorkloadState, isSo: () => boolean): void {
  for (let at = 0; at < 100 && !isSo(); at++) learn(state, { kind: "rewarded", family: "a", arm: 2, reward: 0 });
  expect(isSo()).toBe(true);
  weighEvidence(state);
}
