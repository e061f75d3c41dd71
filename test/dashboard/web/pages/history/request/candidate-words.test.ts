import { describe, expect, it } from "vitest";
import { failedText, reasonText } from "../../../../../../src/dashboard/web/pages/history/request/candidate-words.ts";

describe("reasonText()", () => {
  it("says why an answer was chosen or was not, and its score where it has one", () => {
    expect(reasonText({ candidateReason: "majority", score: 2 / 3 })).toBe(
      "Chosen: more than half of the candidates came to the same conclusion. Score 0.667 of 1.",
    );
    expect(reasonText({ candidateReason: "not_awaited", score: null })).toBe(
      "Not chosen: the choice was made before it came.",
    );
    expect(reasonText({ candidateReason: null, score: null })).toBeUndefined();
  });
});

describe("failedText()", () => {
  it("says what is wrong with an answer", () => {
    expect(failedText({ failedChecks: ["cut", "empty"] })).toBe(
      "Its answer failed a check: it was cut; it says nothing.",
    );
    expect(failedText({ failedChecks: [] })).toBeUndefined();
    expect(failedText({ failedChecks: null })).toBeUndefined();
  });
});
