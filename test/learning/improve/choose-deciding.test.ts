import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { type AnswerVerdicts, chooseDeciding, type GradedPair } from "../../../src/learning/improve/choose-deciding.ts";

const ARMS = ["base", "good", "poor", "same"];
const NOTHING: AnswerVerdicts = { judge: null, secondJudge: null, person: null };

/** A workload that knows one model to be better and one to be worse; three of four requests are of the family a. */
function createState(): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base" });
  for (let at = 0; at < 400; at++) {
    const family = at % 4 === 0 ? "b" : "a";
    const rewards = [at % 2, 1, 0, at % 2];
    for (const [arm, reward] of rewards.entries()) {
      learn(state, { kind: "served", family, arm });
      learn(state, { kind: "rewarded", family, arm, reward });
    }
  }
  return state;
}

function createPair(id: string, changes: Partial<GradedPair>): GradedPair {
  return { id, inferenceId: id, family: "a", model: "good", ofBase: NOTHING, ofModel: NOTHING, ...changes };
}

const judged = (isGood: boolean) => ({ ...NOTHING, judge: isGood });
const seen = (isGood: boolean) => ({ ...judged(true), person: isGood });

describe("chooseDeciding()", () => {
  const chosen = (pairs: readonly GradedPair[]) =>
    chooseDeciding(createState(), pairs).map(({ id, isBetter }) => `${id} ${isBetter ? "better" : "worse"}`);

  it("takes what people found before what judges did, and what both judges found before what one did", () => {
    const better = { ofBase: judged(false), ofModel: judged(true) };
    const pairs = [
      createPair("split", {
        ofBase: { ...judged(false), secondJudge: true },
        ofModel: { ...judged(true), secondJudge: true },
      }),
      createPair("judge", better),
      createPair("person", { ofBase: seen(false), ofModel: seen(true) }),
      createPair("later", better),
    ];
    expect(chosen(pairs)).toEqual(["person better", "judge better", "later better"]);
  });

  it("takes pairs that say the same as the estimate, and no judge's word against a person's", () => {
    const worse = { ofBase: judged(true), ofModel: judged(false) };
    const pairs = [
      createPair("against", worse),
      createPair("equal", { ofBase: judged(true), ofModel: judged(true) }),
      createPair("refuted", {
        ofBase: { ...judged(false), person: true },
        ofModel: { ...judged(true), person: true },
      }),
      createPair("poor", { ...worse, model: "poor" }),
      createPair("same", { ...worse, model: "same" }),
    ];
    expect(chosen(pairs)).toEqual(["poor worse"]);
  });

  it("takes one of each family before a second one, the families with the most requests first", () => {
    const better = { ofBase: judged(false), ofModel: judged(true) };
    const pairs = [
      createPair("b1", { ...better, family: "b" }),
      createPair("a1", better),
      createPair("a2", better),
      createPair("b2", { ...better, family: "b" }),
    ];
    expect(chosen(pairs)).toEqual(["a1 better", "b1 better", "a2 better"]);
  });
});
