import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../src/lib/hash.ts";
import type { PlaceHealth } from "../../../src/routing/health/health-tracker.ts";
import { type PlanFacts, planStrategy } from "../../../src/routing/steps/plan-strategy.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const places = ["a", "b", "c"].map((name) => ({
  upstream: stubUpstream(name, []),
  deployment: { upstream: name, model: `${name}-model`, ...(name === "b" && { contextWindow: 5000 }) },
  relativePrice: 1,
}));
const ALL = { choice: true, failover: true, hedging: true };
const ORDERED = { ...ALL, choice: false };
const HEALTHY: PlaceHealth = {
  isOut: false,
  returned: 1,
  inFlight: 0,
  peakMs: undefined,
  meanMs: undefined,
  trust: 0,
  headroom: 1,
};
type Healths = Readonly<Record<string, Partial<PlaceHealth>>>;

function plan(facts: Partial<PlanFacts>, healths: Healths = {}) {
  const health = { healthOf: ({ upstream }: { upstream: string }) => ({ ...HEALTHY, ...healths[upstream] }) };
  return planStrategy({
    model: stubModel,
    places,
    optimizations: ALL,
    streamed: true,
    origin: undefined,
    prefixKey: undefined,
    health,
    slowAfterMs: undefined,
    random: () => 0,
    ...facts,
  });
}

/** The order in which places are tried. */
function order(facts: Partial<PlanFacts>, healths: Healths = {}): string[] {
  return plan(facts, healths).strategy.attempts.map(({ upstream }) => upstream.name);
}

const origin = { upstream: "c", model: "c-model" };

describe("planStrategy(), without a choice", () => {
  const optimizations = ORDERED;

  it("tries the places in their order", () => {
    expect(order({ optimizations })).toEqual(["a", "b", "c"]);
  });

  it("leaves for last what failed of late, in its order, and never out", () => {
    expect(order({ optimizations }, { a: { isOut: true } })).toEqual(["b", "c", "a"]);
    const isOut = { isOut: true };
    expect(order({ optimizations }, { a: isOut, b: isOut, c: isOut })).toEqual(["a", "b", "c"]);
  });

  it("asks the first place alone where failover is off, whatever is known of it", () => {
    const plain = { choice: false, failover: false, hedging: true };
    expect(order({ optimizations: plain, slowAfterMs: 100 }, { a: { isOut: true } })).toEqual(["a"]);
  });

  it("tells how much each place takes, and that its choice was certain", () => {
    const { strategy } = plan({ optimizations });
    expect(strategy.attempts.map(({ contextWindow, propensity }) => [contextWindow, propensity])).toEqual([
      [stubModel.contextWindow, 1],
      [5000, 1],
      [stubModel.contextWindow, 1],
    ]);
  });
});

describe("planStrategy(), opaque state", () => {
  it("tries its maker first, also when it failed of late, and does not hedge", () => {
    expect(order({ origin })).toEqual(["c", "a", "b"]);
    expect(order({ origin }, { c: { isOut: true } })).toEqual(["c", "a", "b"]);
    expect(order({ origin: { upstream: "c", model: "another" } })[0]).not.toBe("c");
    const { strategy, optimizations } = plan({ origin, slowAfterMs: 100 });
    expect([strategy.kind, strategy.attempts[0]?.propensity, optimizations]).toEqual(["sequence", 1, []]);
  });
});

describe("planStrategy(), hedging", () => {
  it("asks a second place for a stream that is slow", () => {
    expect(plan({ slowAfterMs: 120 }).strategy).toMatchObject({ kind: "hedged", afterMs: 120 });
  });

  it.each([
    ["whole answers, whose first word is their last", { streamed: false }, {}],
    ["models of which little is known", { slowAfterMs: undefined }, {}],
    ["models that do not want it", { optimizations: { ...ALL, hedging: false } }, {}],
    ["models with one place", { places: places.slice(0, 1) }, {}],
    ["a second place that failed of late", {}, { b: { isOut: true }, c: { isOut: true } }],
  ] as const)("is not for %s", (_what, facts, healths) => {
    expect(plan({ slowAfterMs: 120, ...facts }, healths).strategy.kind).toBe("sequence");
  });
});

describe("planStrategy(), with a choice", () => {
  it("names it where another place than the first is asked", () => {
    expect(plan({}, { a: { inFlight: 3 }, b: { inFlight: 2 }, c: { inFlight: 2 } }).optimizations).toEqual([
      "deployment-choice",
    ]);
    expect(plan({}).optimizations).toEqual([]);
  });

  it("is the same for the same facts, and asks every place once, those that failed of late last", () => {
    const health = fc.record({
      isOut: fc.boolean(),
      returned: fc.double({ min: 0, max: 1, noNaN: true }),
      inFlight: fc.nat(50),
      peakMs: fc.option(fc.double({ min: 0.1, max: 1e5, noNaN: true }), { nil: undefined }),
      meanMs: fc.option(fc.double({ min: 0.1, max: 1e5, noNaN: true }), { nil: undefined }),
      trust: fc.double({ min: 0, max: 1, noNaN: true }),
      headroom: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.tuple(health, health, health),
        fc.string(),
        fc.option(fc.nat(), { nil: undefined }),
        ([a, b, c], seed, prefixKey) => {
          const healths = { a, b, c };
          const once = () => plan({ random: createRandom(seed), prefixKey }, healths).strategy;
          expect(once()).toEqual(once());
          const { attempts } = once();
          const names = attempts.map(({ upstream }) => upstream.name);
          expect([...names].sort()).toEqual(["a", "b", "c"]);
          const out = names.map((name) => healths[name as "a" | "b" | "c"].isOut);
          expect(out).toEqual([...out].sort((x, y) => Number(x) - Number(y)));
          expect(attempts[0]?.propensity).toBeGreaterThan(0);
          expect(attempts[0]?.propensity).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("planStrategy(), with a check", () => {
  const check = async () => ({ failed: [], passed: 0, isComplete: true, isProven: false, isRetryable: false });
  const again = (facts: Partial<PlanFacts>, healths: Healths = {}): string[] => {
    const { strategy } = plan({ check, ...facts }, healths);
    if (strategy.kind !== "checked") throw new Error(`the strategy is ${strategy.kind}`);
    return strategy.again.map(({ upstream }) => upstream.name);
  };

  it("asks again where it may ask at all, in the same order, and hedges nothing", () => {
    expect(order({ check, optimizations: ORDERED, slowAfterMs: 100 })).toEqual(["a", "b", "c"]);
    expect(again({ optimizations: ORDERED, slowAfterMs: 100 })).toEqual(["a", "b", "c"]);
    expect(again({ optimizations: { ...ORDERED, failover: false } })).toEqual(["a"]);
  });

  it("asks nobody again that failed of late", () => {
    expect(again({ optimizations: ORDERED }, { b: { isOut: true } })).toEqual(["a", "c"]);
  });

  it("asks only the one again that can read the conversation's opaque state", () => {
    expect(again({ origin })).toEqual(["c"]);
  });
});

describe("planStrategy(), for several candidates", () => {
  const judge = async () => ({
    verdict: { failed: [], passed: 0, isComplete: true, isProven: false, isRetryable: false },
    conclusion: undefined,
    words: new Map(),
    characters: 0,
  });
  const planned = (count: number, facts: Partial<PlanFacts>, healths: Healths = {}): string => {
    const candidates = { count, judge, choose: () => undefined };
    const { strategy } = plan({ candidates, optimizations: ORDERED, ...facts }, healths);
    if (strategy.kind !== "candidates") throw new Error(`the strategy is ${strategy.kind}`);
    const at = strategy.attempts.map(({ upstream }) => upstream.name).join("");
    return `${at.slice(0, strategy.count)} then ${at.slice(strategy.count)}`;
  };

  it("asks at different places first, then at these again, and at the others only where all fail", () => {
    expect(planned(2, {})).toBe("ab then c");
    expect(planned(3, {})).toBe("abc then ");
    expect(planned(4, {})).toBe("abca then ");
    expect(planned(2, { slowAfterMs: 10 })).toBe("ab then c");
  });

  it("asks at one place only without failover", () => {
    expect(planned(3, { optimizations: { choice: false, failover: false, hedging: false } })).toBe("aaa then ");
  });

  it("asks nobody that failed of late, unless all did", () => {
    expect(planned(3, {}, { a: { isOut: true } })).toBe("bcb then a");
    const isOut = { isOut: true };
    expect(planned(2, {}, { a: isOut, b: isOut, c: isOut })).toBe("aa then bc");
  });

  it("asks only who can read the conversation's opaque state", () => {
    expect(planned(3, { origin })).toBe("ccc then ab");
  });

  it("goes by the choice among places", () => {
    expect(planned(2, { optimizations: ALL, random: () => 0.9 }).slice(0, 2)).toHaveLength(2);
    const slow = { a: { peakMs: 9000, meanMs: 9000, trust: 1 }, b: { peakMs: 10, meanMs: 10, trust: 1 } };
    expect(planned(2, { optimizations: ALL }, slow)).not.toMatch(/^a|^.a/);
  });
});
