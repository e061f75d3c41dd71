import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { estimateOutlook } from "../../../src/learning/learner/outlook.ts";
import { describeEarned, describeOutlook, titleOutlooks } from "../../../src/vocabulary/outlook.ts";

/** A workload whose base answers alone, and whose trials a judge graded that is right in nine of ten grades. */
function observed(skills: readonly [base: number, other: number], count: number, objective: Objective = "quality") {
  const state = new WorkloadState({ arms: ["base", "other"], base: "base", objective });
  const isIn = (share: number, at: number) => (at * 0.618034) % 1 < share;
  for (let at = 0; at < count; at++) {
    const family = `tag:${at % 2}`;
    const [isGood, isOtherGood] = [isIn(skills[0], at), isIn(skills[1], at + 7)];
    const gradeOf = (good: boolean) => (at % 10 === 3 ? !good : good);
    learn(state, { kind: "served", family, arm: 0, price: 2 });
    learn(state, { kind: "rewarded", family, arm: 0, reward: isGood ? 1 : 0 });
    learn(state, { kind: "checked", arm: 0, isGood: gradeOf(isGood), reward: isGood ? 1 : 0 });
    learn(state, { kind: "graded", family, arm: 0, isGood: gradeOf(isGood) });
    learn(state, { kind: "graded", family, arm: 1, isGood: gradeOf(isOtherGood) });
  }
  return state;
}

describe("estimateOutlook()", () => {
  it("tells what is known of a better model by grades alone, with its interval, as a part of base's reward", () => {
    const outlook = estimateOutlook(observed([0.3, 0.95], 1000), []);
    expect(outlook).toMatchObject({ rewards: 1000, price: 1 });
    const { gain = 0, low = 0, high = 0 } = outlook ?? {};
    expect(gain).toBeGreaterThan(0.3);
    expect(gain).toBeLessThan(0.65 / 0.3);
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(gain);
    expect(high).toBeGreaterThan(gain);
  });

  it("is nothing where the better model is excluded", () => {
    expect(estimateOutlook(observed([0.3, 0.95], 1000), ["other"])).toBeUndefined();
  });

  it("is nothing where base is the best, and while there is little feedback", () => {
    expect(estimateOutlook(observed([0.95, 0.5], 1000), [])).toBeUndefined();
    expect(estimateOutlook(observed([0.3, 0.95], 10), [])).toBeUndefined();
    expect(estimateOutlook(observed([0.6, 0.6], 1000), [])).toBeUndefined();
  });
});

describe("describeEarned()", () => {
  const spent = {
    calls: 1000,
    routedCalls: 420,
    costNanos: 3.2e9,
    baseCostNanos: 4e9,
    trialNanos: 5e7,
    trials: 9,
    checks: 0,
  };
  const effect = { gain: 0.12, low: 0.08, high: 0.16, price: 0.8, rewards: 300 };

  it("says who answered, what that earned and saved, and what trials cost", () => {
    expect(describeEarned(effect, spent)).toBe(
      "Other models gave 420 of 1,000 answers. The choice is 12% better than base by estimate (8% to 16%). " +
        "Calls cost 3.20 USD, and base would have cost 4.00 USD: 0.80 USD saved. Shadow trials cost 0.05 USD in addition.",
    );
    expect(describeEarned(effect, { ...spent, costNanos: 5e9, trialNanos: null })).toContain("1.00 USD more.");
  });

  it("calls what is worse, or as good, by its name", () => {
    expect(describeEarned({ ...effect, gain: -0.02, low: -0.05, high: 0.01 }, spent)).toContain(
      " The choice is 2% worse than base by estimate (a change of -5% to 1%). ",
    );
    expect(describeEarned({ ...effect, gain: 0.001, low: -0.01, high: 0.012 }, spent)).toContain(
      " The choice is as good as base by estimate (a change of -1% to 1%). ",
    );
  });

  it("says nothing of gains that nobody had", () => {
    expect(describeEarned(effect, { ...spent, routedCalls: 0 })).toBe(
      "Other models gave 0 of 1,000 answers. Shadow trials cost 0.05 USD in addition.",
    );
  });
});

describe("titleOutlooks()", () => {
  it("promises better answers for better models alone", () => {
    expect(titleOutlooks([{ gain: 0.12 }])).toBe("Mode on would answer better");
    expect(titleOutlooks([{ gain: -0.001 }])).toBe("Mode on would cost less");
    expect(titleOutlooks([{ gain: -0.001 }, { gain: 0.3 }])).toBe("Mode on would answer better or cost less");
  });
});

describe("describeOutlook()", () => {
  it("says how much better, with the interval, and at which price", () => {
    const outlook = { gain: 0.1234567890123456, low: 0.08, high: 0.162, price: 0.8, rewards: 300 };
    expect(describeOutlook(outlook)).toBe("12% better, 8 to 16, at x0.80 of the price");
    expect(describeOutlook({ ...outlook, gain: -0.001, low: -0.004, high: 0.002 })).toBe(
      "as well, 0 to 0, at x0.80 of the price",
    );
  });
});
