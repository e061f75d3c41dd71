import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIMIZATIONS } from "../../../src/catalog/model.ts";
import { createCheckStep } from "../../../src/routing/steps/add-check.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const model = { ...stubModel, optimizations: { ...DEFAULT_OPTIMIZATIONS, checkedRetry: "on" as const } };
const facts = requestFacts({ init: { outputFormat: { kind: { case: "jsonObject", value: {} } } }, found: { model } });
const step = createCheckStep(async (texts) => texts.map(() => "fits" as const));

describe("createCheckStep()", () => {
  it("adds a check where a form is asked for", () => {
    expect(step({}, facts).check).toBeTypeOf("function");
  });

  it("adds none beside candidates, which are judged by themselves", () => {
    const candidates = { count: 2, judge: () => Promise.reject(), choose: () => undefined };
    expect(step({ candidates }, facts)).toEqual({ candidates });
  });

  it("adds none where nothing can judge", () => {
    expect(createCheckStep(undefined)({}, facts)).toEqual({});
  });
});
