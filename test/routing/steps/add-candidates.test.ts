import { describe, expect, it } from "vitest";
import { addCandidates, selectionFor } from "../../../src/routing/steps/add-candidates.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel } from "../../support/stub-upstream.ts";

describe("addCandidates", () => {
  it("adds as many candidates as the caller asks for", () => {
    expect(addCandidates({}, requestFacts({ init: { candidates: 3 } })).candidates).toMatchObject({ count: 3 });
  });

  it("adds none where one answer is asked for, or only a count", () => {
    expect(addCandidates({}, requestFacts())).toEqual({});
    expect(addCandidates({}, requestFacts({ init: { candidates: 3 }, context: { isAnswered: false } }))).toEqual({});
  });

  it("has no selector trials where nothing is learned of the workload", () => {
    const model = { ...stubModel, candidates: { max: 2, learned: "on" as const, selectorTrials: 1 } };
    expect(addCandidates({}, requestFacts({ found: { model } }))).toEqual({});
  });
});

describe("selectionFor()", () => {
  it("leaves what was learned out of plain and of directed requests, without looking for it", () => {
    const workload = (): never => {
      throw new Error("was looked for");
    };
    expect(selectionFor(requestFacts({ init: { plain: true }, workload }))).toBeUndefined();
    expect(selectionFor(requestFacts({ found: { isDirected: true }, workload }))).toBeUndefined();
  });
});
