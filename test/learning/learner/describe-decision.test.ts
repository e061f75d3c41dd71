import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../../src/hub/decision-record.ts";
import { describeDecision } from "../../../src/learning/learner/describe-decision.ts";

const RECORD: DecisionRecord = {
  mode: "on",
  family: "tag:a",
  policy: "baht-g/19",
  version: 7,
  arms: ["better", "base", "absent"],
  eligible: [1, 1, 0],
  worths: [0.6, 0.5, 0.9],
  doubts: [0.4, 0.3, 0.1],
  base: 1,
  best: 0,
  arm: 0,
  choice: "explored",
  controlChance: 0.1,
  exploreChance: 1,
  exploreWidth: 1,
  switchCost: 0,
  hasRoom: true,
  seed: 3,
};

describe("describeDecision()", () => {
  it("lists base and then the others by their worth, each with the chance that it had", () => {
    const { arms, ...rest } = describeDecision(RECORD);
    // Of two draws whose difference has mean .1 and deviation .5, the better one wins in .57926; control takes a tenth
    // before that.
    expect(arms).toEqual([
      { model: "base", isEligible: true, worth: 0.5, doubt: 0.3, chance: expect.closeTo(0.9 * 0.42074 + 0.1, 4) },
      { model: "absent", isEligible: false, worth: 0.9, doubt: 0.1, chance: 0 },
      { model: "better", isEligible: true, worth: 0.6, doubt: 0.4, chance: expect.closeTo(0.9 * 0.57926, 4) },
    ]);
    expect(rest).toEqual({
      mode: "on",
      family: "tag:a",
      policy: "baht-g/19",
      version: 7,
      choice: "explored",
      kept: null,
      hasRoom: true,
      controlChance: 0.1,
      exploreChance: 1,
      base: "base",
      best: "better",
      chosen: "better",
      asked: null,
      pendingDecisions: null,
    });
  });

  it("names the models that several answers were asked of", () => {
    const record = {
      ...RECORD,
      arms: ["better", "base", "best,second"],
      ranked: ["base", "better"],
      several: "best,second",
    };
    expect(describeDecision(record).asked).toEqual(["base", "better"]);
    expect(describeDecision({ ...record, several: "best,best" }).asked).toEqual(["base", "base"]);
  });

  it("states no chances of a decision that was made by other rules", () => {
    const { arms, kept } = describeDecision({ ...RECORD, policy: "baht-g/0", kept: "observed" });
    expect(arms.map(({ chance }) => chance)).toEqual([null, null, null]);
    expect(kept).toBe("observed");
  });
});
