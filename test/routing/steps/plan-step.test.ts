import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIMIZATIONS } from "../../../src/catalog/model.ts";
import { createRequestFacts } from "../../../src/routing/steps/plan-step.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const model = { ...stubModel, optimizations: { ...DEFAULT_OPTIMIZATIONS, hedging: true, cacheMarks: true } };

describe("createRequestFacts()", () => {
  it("switches off what the project has switched off, and nothing else", () => {
    const { optimizationsFor } = requestFacts({ off: ["hedging"] });
    expect(optimizationsFor(model)).toMatchObject({ hedging: false, cacheMarks: true });
  });

  it("switches everything off for a caller who wants the plain call", () => {
    const { optimizationsFor } = requestFacts({ init: { plain: true } });
    expect(optimizationsFor(model)).toMatchObject({ hedging: false, cacheMarks: false, failover: false });
  });

  it("looks for the workload of the project and of the model that was asked for, each time it is asked", () => {
    const asked: object[] = [];
    const { input, context, found } = requestFacts({ found: { model } });
    const facts = createRequestFacts(
      { input, context, found },
      { optimizationsOff: () => new Set(), workloads: { find: (key) => void asked.push(key) } },
    );
    expect(asked).toEqual([]);
    expect(facts.workload()).toBeUndefined();
    expect(asked).toEqual([{ projectId: "p", model: model.name }]);
  });
});
