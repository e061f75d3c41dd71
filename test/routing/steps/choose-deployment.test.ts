import { describe, expect, it } from "vitest";
import { createRandom } from "../../../src/lib/hash.ts";
import type { PlaceHealth } from "../../../src/routing/health/health-tracker.ts";
import { type Candidate, choosePlace } from "../../../src/routing/steps/choose-deployment.ts";
import { stubUpstream } from "../../support/stub-upstream.ts";

const HEALTHY: PlaceHealth = {
  isOut: false,
  returned: 1,
  inFlight: 0,
  peakMs: 100,
  meanMs: 100,
  trust: 1,
  headroom: 1,
};

function candidate(name: string, health: Partial<PlaceHealth> = {}, relativePrice = 1): Candidate {
  const place = { upstream: stubUpstream(name, []), deployment: { upstream: name, model: "m" }, relativePrice };
  return { place, health: { ...HEALTHY, ...health } };
}

const nameOf = ({ place }: Candidate): string => place.upstream.name;

/** How often each place comes first in 3,000 draws, as parts of 1. */
function shares(candidates: readonly Candidate[], prefixKey?: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let draw = 0; draw < 3000; draw++) {
    const { order } = choosePlace(candidates, { prefixKey, random: createRandom(`${draw}`) });
    const name = nameOf(order[0] as Candidate);
    counts[name] = (counts[name] ?? 0) + 1 / 3000;
  }
  return counts;
}

describe("choosePlace(), the better of two", () => {
  it("takes the better of two places always", () => {
    expect(shares([candidate("slow", { peakMs: 1000 }), candidate("fast")])).toEqual({ fast: expect.closeTo(1) });
  });

  it("draws two of several, with the propensity that it tells", () => {
    const four = [400, 300, 200, 100].map((peakMs) => candidate(`${peakMs}`, { peakMs }));
    const found = shares(four);
    // Of six pairs the best wins three, the next two, the third one.
    expect(found["100"]).toBeCloseTo(3 / 6, 1);
    expect(found["200"]).toBeCloseTo(2 / 6, 1);
    expect(found["300"]).toBeCloseTo(1 / 6, 1);
    expect(found["400"]).toBeUndefined();
    for (let draw = 0; draw < 50; draw++) {
      const { order, propensity } = choosePlace(four, { prefixKey: undefined, random: createRandom(`${draw}`) });
      const expected = { 100: 3 / 6, 200: 2 / 6, 300: 1 / 6 }[nameOf(order[0] as Candidate)];
      expect(propensity).toBe(expected);
    }
  });

  it.each([
    ["has less to do", { inFlight: 3 }, { inFlight: 2 }],
    ["answers sooner", { peakMs: 200 }, { peakMs: 150 }],
    ["has more left of its limits", { headroom: 0.05 }, { headroom: 0.5 }],
    ["was never left out", { returned: 0.5 }, { returned: 1 }],
    ["may have become faster", { peakMs: 1000, trust: 0.99 }, { peakMs: 1000, trust: 0.5 }],
    ["is not yet known", { peakMs: 100 }, { peakMs: undefined, trust: 0 }],
  ])("prefers the one that %s", (_what, worse, better) => {
    const { order } = choosePlace([candidate("worse", worse), candidate("better", better)], {
      prefixKey: undefined,
      random: () => 0,
    });
    expect(order.map(nameOf)).toEqual(["better", "worse"]);
  });

  it("weighs price against time: twice as dear has to be twice as fast", () => {
    const dear = (peakMs: number) => [candidate("cheap"), candidate("dear", { peakMs }, 2)];
    expect(Object.keys(shares(dear(60)))).toEqual(["cheap"]);
    expect(Object.keys(shares(dear(45)))).toEqual(["dear"]);
  });

  it("asks none that is far slower on average, however much the others have in flight", () => {
    const both = (slow: Partial<PlaceHealth>, fast: Partial<PlaceHealth> = {}) => [
      candidate("fast", { inFlight: 50, ...fast }),
      candidate("slow", { peakMs: 450, meanMs: 450, ...slow }),
    ];
    expect(shares(both({}))).toEqual({ fast: expect.closeTo(1) });
    expect(shares(both({ meanMs: 350 }))).toEqual({ slow: expect.closeTo(1) });
    expect(shares(both({}, { isOut: true }))).toEqual({ slow: expect.closeTo(1) });
    // One call finds out when that is no longer believed.
    expect(shares(both({ trust: 0.8 }))).toEqual({ slow: expect.closeTo(1) });
    expect(shares(both({ trust: 0.8, inFlight: 1 }))).toEqual({ fast: expect.closeTo(1) });
  });

  it("asks a place that is far slower where it is as much cheaper", () => {
    const cheap = candidate("cheap", { peakMs: 500, meanMs: 500 });
    expect(shares([cheap, candidate("dear", { inFlight: 9 }, 5)])).toEqual({ cheap: expect.closeTo(1) });
    expect(shares([cheap, candidate("dear", { inFlight: 9 })])).toEqual({ dear: expect.closeTo(1) });
  });

  it("finds out about a place that it doubts with one call at a time", () => {
    const doubted = { peakMs: 1000, trust: 0.05 };
    const firstOf = (inFlight: number) => {
      const both = [candidate("known", { inFlight: 1 }), candidate("doubted", { ...doubted, inFlight })];
      return nameOf(choosePlace(both, { prefixKey: undefined, random: () => 0 }).order[0] as Candidate);
    };
    expect([firstOf(0), firstOf(1)]).toEqual(["doubted", "known"]);
  });

  it("leaves what failed of late for last, and asks it where there is nothing else", () => {
    const { order } = choosePlace([candidate("out", { isOut: true, peakMs: 1 }), candidate("in")], {
      prefixKey: undefined,
      random: () => 0,
    });
    expect(order.map(nameOf)).toEqual(["in", "out"]);
    expect(shares([candidate("out", { isOut: true })])).toEqual({ out: expect.closeTo(1) });
  });
});

describe("choosePlace(), prefixes that a cache holds", () => {
  const five = ["a", "b", "c", "d", "e"].map((name) => candidate(name));
  const keeper = (candidates: readonly Candidate[], prefixKey: number): string =>
    nameOf(choosePlace(candidates, { prefixKey, random: () => 0 }).order[0] as Candidate);

  it("go to one place, whatever is drawn, and prefixes spread over the places", () => {
    expect(Object.keys(shares(five, 7))).toHaveLength(1);
    const counts = new Map<string, number>();
    for (let key = 0; key < 1000; key++) {
      const name = keeper(five, key);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(60);
    expect(counts.size).toBe(5);
  });

  it("stay where they are when a place goes, but for those that it kept", () => {
    const without = five.slice(0, 4);
    for (let key = 0; key < 300; key++) {
      const before = keeper(five, key);
      if (before !== "e") expect(keeper(without, key)).toBe(before);
    }
  });

  it("go elsewhere while their place has more than its share to do, is far slower, or is out", () => {
    const name = keeper(five, 7);
    const changed = (health: Partial<PlaceHealth>) =>
      keeper(
        five.map((each) => (nameOf(each) === name ? candidate(name, health) : each)),
        7,
      );
    expect(changed({ inFlight: 7 })).toBe(name);
    expect(changed({ inFlight: 8 })).not.toBe(name);
    expect(changed({ meanMs: 390 })).toBe(name);
    expect(changed({ meanMs: 410 })).not.toBe(name);
    expect(changed({ isOut: true })).not.toBe(name);
    // One long prompt is no reason to lose a cache.
    expect(changed({ peakMs: 5000 })).toBe(name);
  });

  it("bear a load in proportion where there is much to do", () => {
    const name = keeper(five, 7);
    const busy = five.map((each) => candidate(nameOf(each), { inFlight: 40 }));
    expect(keeper(busy, 7)).toBe(name);
    const burdened = busy.map((each) => (nameOf(each) === name ? candidate(name, { inFlight: 60 }) : each));
    expect(keeper(burdened, 7)).not.toBe(name);
  });
});
