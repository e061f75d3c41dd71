import { describe, expect, it } from "vitest";
import { hasRoom, mayDeviate, rewardLevel } from "../../../../src/learning/bandit/budget-usage.ts";
import { Decision, decide } from "../../../../src/learning/bandit/decide.ts";
import { learn } from "../../../../src/learning/bandit/learn.ts";
import { weighEvidence } from "../../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../../src/learning/bandit/workload-state.ts";
import { denseWorkload, dislikeUntil } from "./dense-workload.ts";

function decideFor(state: WorkloadState, isRisked = false): Decision {
  const family = state.families.find("a") ?? -1;
  return decide(state, { family, eligible: Uint8Array.of(1, 1, 1), seed: 1, isRisked }, new Decision(3));
}

describe("decide() where feedback is dense and the account has no room", () => {
  it("stops exploring, and serves on what a proven judge finds better", () => {
    const state = denseWorkload({ isJudged: true });
    expect(decideFor(state)).toMatchObject({ best: 1, hasRoom: true });
    dislikeUntil(state, () => !hasRoom(state));
    expect(decideFor(state)).toMatchObject({ best: 1, exploreChance: 0, hasRoom: true });
    expect(mayDeviate(state)).toBe(true);
  });

  it("serves base once people's rewards alone say that more was lost than may be", () => {
    const state = denseWorkload({ isJudged: true });
    dislikeUntil(state, () => !mayDeviate(state));
    expect(decideFor(state)).toMatchObject({ best: 0, exploreChance: 0, hasRoom: false });
  });

  it("serves base without a judge", () => {
    const state = denseWorkload({ isJudged: false });
    dislikeUntil(state, () => !hasRoom(state));
    expect(decideFor(state)).toMatchObject({ best: 0, exploreChance: 0, hasRoom: false });
  });

  it("serves what is better although decisions are pending that risk all there is room for", () => {
    expect(decideFor(denseWorkload({ isJudged: true }), true)).toMatchObject({
      best: 1,
      exploreChance: 0,
      hasRoom: true,
    });
    expect(decideFor(denseWorkload({ isJudged: false }), true)).toMatchObject({ best: 0, hasRoom: false });
  });
});

describe("rewardLevel()", () => {
  it("allows three quarters of the regret while grades count: trials find out what users else would", () => {
    const [judged, alone] = [denseWorkload({ isJudged: true }), denseWorkload({ isJudged: false })];
    expect(alone.rewards).toBe(judged.rewards);
    expect(rewardLevel(judged).budget).toBeCloseTo(0.75 * rewardLevel(alone).budget, 9);
  });
});

describe("decide() where feedback is rare", () => {
  /** One call in twenty gets feedback; the judge finds `poor` good whatever it says. */
  function favoured(): WorkloadState {
    const state = new WorkloadState({ arms: ["base", "good", "poor"], base: "base", feedback: "complete" });
    for (let at = 0; at < 4000; at++) {
      learn(state, { kind: "served", family: "a", arm: 0 });
      const reward = at % 40 === 0 ? 1 : 0;
      if (at % 20 === 0) learn(state, { kind: "rewarded", family: "a", arm: 0, reward });
      if (at % 20 === 0) learn(state, { kind: "checked", arm: 0, isGood: reward === 1, reward });
      if (at % 10 === 0) learn(state, { kind: "graded", family: "a", arm: 2, isGood: true });
      if (at % 10 === 0) learn(state, { kind: "graded", family: "a", arm: 0, isGood: at % 20 === 0 });
    }
    weighEvidence(state);
    return state;
  }

  it("serves base once people's few rewards say that more was lost than may be", () => {
    const state = favoured();
    expect(decideFor(state)).toMatchObject({ best: 2, hasRoom: true });
    for (let at = 0; at < 8; at++) learn(state, { kind: "rewarded", family: "a", arm: 2, reward: 0 });
    weighEvidence(state);
    expect(state.evidence.gradeWeight).toBeGreaterThan(0);
    expect(mayDeviate(state)).toBe(false);
    expect(decideFor(state)).toMatchObject({ best: 0, hasRoom: false });
  });
});
