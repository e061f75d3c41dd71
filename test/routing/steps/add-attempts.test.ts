import { describe, expect, it } from "vitest";
import { HealthTracker } from "../../../src/routing/health/health-tracker.ts";
import { createAttemptsStep } from "../../../src/routing/steps/add-attempts.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const placeOf = (name: string) => ({
  upstream: stubUpstream(name, []),
  deployment: { upstream: name, model: `${name}-model` },
  relativePrice: 1,
});
const [a, b] = [placeOf("a"), placeOf("b")];
const snapshot = { health: new HealthTracker(() => 0), slowAfterMs: () => undefined };
const names = (isDifferent?: (model: string) => boolean) => {
  const step = createAttemptsStep({ ...snapshot, isDifferent }, new Map([[stubModel, [a, b]]]));
  const { planned } = step({}, requestFacts({ found: { places: [a, b] } }));
  return planned?.strategy.attempts.map(({ upstream }) => upstream.name);
};

describe("createAttemptsStep()", () => {
  it("plans every deployment of the model, in their order", () => {
    expect(names()).toEqual(["a", "b"]);
  });

  it("leaves out what has proved to serve another model; the first deployment stays", () => {
    expect(names(() => true)).toEqual(["a"]);
  });

  it("asks the candidates' deployments at once", () => {
    const step = createAttemptsStep(snapshot, new Map([[stubModel, [a, b]]]));
    const candidates = { count: 2, judge: () => Promise.reject(), choose: () => undefined };
    const { planned } = step({ candidates }, requestFacts({ found: { places: [a, b] } }));
    expect(planned?.strategy).toMatchObject({ kind: "candidates", count: 2 });
  });
});
