import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIMIZATIONS } from "../../../src/catalog/model.ts";
import { addCheck } from "../../../src/routing/steps/add-check.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const model = { ...stubModel, optimizations: { ...DEFAULT_OPTIMIZATIONS, checkedRetry: "on" as const } };
const facts = requestFacts({ init: { outputFormat: { kind: { case: "jsonObject", value: {} } } }, found: { model } });
const judged = { ...facts, judge: async (texts: readonly object[]) => texts.map(() => "fits" as const) };

describe("addCheck", () => {
  it("adds a check where a form is asked for", () => {
    expect(addCheck({}, judged).check).toBeTypeOf("function");
  });

  it("adds none beside candidates, which are judged by themselves", () => {
    const candidates = { count: 2, judge: () => Promise.reject(), choose: () => undefined };
    expect(addCheck({ candidates }, judged)).toEqual({ candidates });
  });

  it("adds none where nothing can judge", () => {
    expect(addCheck({}, facts)).toEqual({});
  });
});
