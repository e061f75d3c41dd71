import { describe, expect, it } from "vitest";
import { createChoiceStep } from "../../../src/routing/steps/add-choice.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const place = (name: string) => ({ upstream: stubUpstream(name, []), deployment: { upstream: name, model: name } });
const base = { ...stubModel, name: "base" };
const other = { ...stubModel, name: "other" };
const places = new Map([base, other].map((model) => [model, [{ ...place(model.name), relativePrice: 1 }]]));
const looked = (facts: Parameters<typeof requestFacts>[0], only = false): boolean => {
  let isLooked = false;
  const known = only ? new Map([...places].slice(0, 1)) : places;
  const step = createChoiceStep({ sandboxes: new Set() }, known);
  const workload = () => {
    isLooked = true;
    return undefined;
  };
  expect(step({}, requestFacts({ found: { model: base }, workload, ...facts }))).toEqual({});
  return isLooked;
};

describe("createChoiceStep()", () => {
  it("chooses nothing where nothing is learned", () => {
    expect(looked({})).toBe(true);
  });

  it("does not even look for the workload where no other model may answer", () => {
    expect(looked({}, true)).toBe(false);
    expect(looked({ init: { plain: true } })).toBe(false);
    expect(looked({ context: { isAnswered: false } })).toBe(false);
    expect(looked({ found: { model: base, isDirected: true } })).toBe(false);
  });
});
