import { describe, expect, it } from "vitest";
import { type PlanFacts, planStrategy } from "../../src/routing/plan-strategy.ts";
import { stubModel, stubUpstream } from "../support/stub-upstream.ts";

const places = ["a", "b", "c"].map((name) => ({
  upstream: stubUpstream(name, []),
  deployment: { upstream: name, model: `${name}-model`, ...(name === "b" && { contextWindow: 5000 }) },
}));

/** The order in which places are tried. */
function planned(facts: Partial<PlanFacts>, cooling: Readonly<Record<string, number>> = {}): string[] {
  const health = { coolingUntilMs: ({ upstream }: { upstream: string }) => cooling[upstream] ?? 0 };
  const strategy = planStrategy({ model: stubModel, places, origin: undefined, health, nowMs: 100, ...facts });
  expect(strategy.kind).toBe("sequence");
  return strategy.attempts.map(({ upstream }) => upstream.name);
}

describe("planStrategy()", () => {
  it("tries the places in their order", () => {
    expect(planned({})).toEqual(["a", "b", "c"]);
  });

  it("tries the maker of opaque state first, also when it failed of late", () => {
    const origin = { upstream: "c", model: "c-model" };
    expect(planned({ origin })).toEqual(["c", "a", "b"]);
    expect(planned({ origin }, { c: 200 })).toEqual(["c", "a", "b"]);
    expect(planned({ origin: { upstream: "c", model: "another" } })).toEqual(["a", "b", "c"]);
  });

  it("leaves for last what failed of late, in its order, and never out", () => {
    expect(planned({}, { a: 101, b: 100 })).toEqual(["b", "c", "a"]);
    expect(planned({}, { a: 200, b: 300, c: 400 })).toEqual(["a", "b", "c"]);
  });

  it("tells how much each place takes, and with which probability it was chosen", () => {
    const health = { coolingUntilMs: () => 0 };
    const { attempts } = planStrategy({ model: stubModel, places, origin: undefined, health, nowMs: 0 });
    expect(attempts.map(({ contextWindow, propensity }) => [contextWindow, propensity])).toEqual([
      [stubModel.contextWindow, 1],
      [5000, 1],
      [stubModel.contextWindow, 1],
    ]);
  });
});
