import { describe, expect, it } from "vitest";
import {
  failedText,
  reasonText,
  signalsText,
} from "../../../../../../src/dashboard/features/history/web/request/candidate-words.ts";
import { RANKING } from "../../../../../support/rows.ts";

describe("reasonText()", () => {
  it("says why an answer was chosen or was not, and its score where it has one", () => {
    expect(reasonText({ candidateReason: "majority", score: 2 / 3 })).toBe(
      "Chosen: more than half of the candidates came to the same conclusion. Score 0.667 of 1.",
    );
    expect(reasonText({ candidateReason: "not_awaited", score: null })).toBe("Not chosen: it came after the choice.");
    expect(
      reasonText({ candidateReason: "learned", score: 0.5, ranking: { ...RANKING, expectedReward: 0.81249 } }),
    ).toBe("Chosen: the selector expects the best feedback. Score 0.5 of 1. Expected reward 0.812 of 1.");
    expect(reasonText({ candidateReason: null, score: null })).toBeUndefined();
  });
});

describe("signalsText()", () => {
  it("says what tells an answer from the others", () => {
    expect(signalsText({ ranking: RANKING })).toBe(
      "Compared to the others: agreement +0.13, length −0.5, unusual length +0.25, order +1, elsewhere +0.5, proven form −0.5, log-probability +0.38, model −0.06.",
    );
    const none = { agreement: 0, length: 0.001, unusual: 0, order: 0, elsewhere: 0, proven: 0, confidence: 0 };
    expect(signalsText({ ranking: { signals: { ...none, characters: 9 }, chance: 1 } })).toBeUndefined();
    expect(signalsText({ ranking: null })).toBeUndefined();
  });
});

describe("failedText()", () => {
  it("says what is wrong with an answer", () => {
    expect(failedText({ failedChecks: ["cut", "empty"] })).toBe(
      "Its answer failed a check: it is cut off; it is empty.",
    );
    expect(failedText({ failedChecks: [] })).toBeUndefined();
    expect(failedText({ failedChecks: null })).toBeUndefined();
  });
});
