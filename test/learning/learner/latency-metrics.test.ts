import { describe, expect, it } from "vitest";
import { DEFAULT_SLOWDOWN, LatencyMetrics } from "../../../src/learning/learner/latency-metrics.ts";

const ARM = "best,second";
const restored = (waits: LatencyMetrics) => new LatencyMetrics(JSON.parse(JSON.stringify(waits.toSnapshot())));

/** So many answers of base that took so long, in a family. */
function base(
  waits: LatencyMetrics,
  count: number,
  ms: number,
  family = "tag:f",
  kind: "unary" | "firstToken" = "unary",
): void {
  for (let at = 0; at < count; at++) waits.addBase(family, kind, ms);
}

function several(
  waits: LatencyMetrics,
  count: number,
  ms: (at: number) => number,
  family = "tag:f",
  kind: "unary" | "firstToken" = "unary",
) {
  for (let at = 0; at < count; at++) waits.addSeveral(ARM, { family, kind, ms: ms(at) });
}

describe("Waits", () => {
  it("tell how long answers take, and how many times as long as base's that is, also after a restart", () => {
    const waits = new LatencyMetrics();
    base(waits, 30, 1000);
    expect(waits.figures("base")).toEqual([]);
    several(waits, 10, (at) => (at % 2 === 0 ? 1000 : 2000));
    const [ofBase, ofSeveral] = restored(waits).figures("base");
    expect(ofBase).toEqual({ arm: "base", kind: "unary", count: 30, meanMs: expect.closeTo(1000, 6) });
    expect(ofSeveral).toEqual({
      arm: ARM,
      kind: "unary",
      count: 10,
      meanMs: expect.closeTo(1500, 6),
      // Ten that are 0.5 beside their mean: the root of 2.5 / 9 / 10.
      slowdown: { mean: expect.closeTo(1.5, 6), answers: 10, doubt: expect.closeTo(0.1667, 4) },
    });
  });

  it("hold answers against base in their families: who is asked for long ones is not slow for that", () => {
    const waits = new LatencyMetrics();
    base(waits, 50, 100, "tag:short");
    base(waits, 5, 5000, "tag:long");
    several(waits, 20, () => 6000, "tag:long");
    expect(waits.figures("base").at(-1)?.slowdown?.mean).toBeCloseTo(1.2, 6);
    expect(waits.isTooSlow(ARM, false, { unary: 2 })).toBe(false);
    // A family of which nothing is known is held against all.
    const unknown = new LatencyMetrics();
    base(unknown, 20, 100, "tag:short");
    several(unknown, 20, () => 600, "tag:new");
    expect(unknown.isTooSlow(ARM, false, { unary: 2 })).toBe(true);
  });

  it("say that an arm is too slow once that is sure, by what is waited for", () => {
    const waits = new LatencyMetrics();
    base(waits, 30, 100, "tag:f", "firstToken");
    base(waits, 30, 1000);
    several(waits, 9, () => 4000);
    expect(waits.isTooSlow(ARM, false)).toBe(false);
    several(waits, 1, () => 4000);
    expect([waits.isTooSlow(ARM, false), waits.isTooSlow(ARM, true)]).toEqual([true, false]);
    expect(waits.isTooSlow(ARM, false, { unary: 4 })).toBe(false);
    expect(waits.isTooSlow("best,best", false)).toBe(false);
    // Twenty times as long, which the default allows for first tokens and an operator does not.
    several(waits, 10, () => 2000, "tag:f", "firstToken");
    expect(DEFAULT_SLOWDOWN.firstToken).toBeGreaterThan(20);
    expect([waits.isTooSlow(ARM, true), waits.isTooSlow(ARM, true, { firstToken: 10 })]).toEqual([false, true]);
    expect(restored(waits).isTooSlow(ARM, true, { firstToken: 10 })).toBe(true);
  });

  it("are not too slow by less than a quarter of a second", () => {
    for (const [ms, isTooSlow] of [
      [270, false],
      [290, true],
    ] as const) {
      const waits = new LatencyMetrics();
      base(waits, 30, 30);
      several(waits, 20, () => ms);
      expect(waits.isTooSlow(ARM, false)).toBe(isTooSlow);
    }
  });

  it("leave open what chance may have been", () => {
    const waits = new LatencyMetrics();
    base(waits, 30, 1000);
    // 3.4 on average, with a standard error of 0.8.
    several(waits, 12, (at) => (at % 4 === 0 ? 10_000 : 1200));
    expect(waits.figures("base").at(-1)?.slowdown?.mean).toBeCloseTo(3.4, 6);
    expect(waits.isTooSlow(ARM, false)).toBe(false);
  });

  it("forget an arm over some answers of base, so that it is tried again, and at once where a model has changed", () => {
    const waits = new LatencyMetrics();
    base(waits, 30, 1000);
    several(waits, 12, () => 9000);
    let answers = 0;
    for (; waits.isTooSlow(ARM, false) && answers < 5000; answers++) waits.addBase("tag:f", "unary", 1000);
    // 12 become fewer than 10.
    expect(answers).toBe(183);
    several(waits, 12, () => 9000);
    expect(waits.isTooSlow(ARM, false)).toBe(true);
    waits.forgetSeveral();
    expect([waits.isTooSlow(ARM, false), waits.figures("base")]).toEqual([false, []]);
  });

  it("have an arm that stays too slow tried once in a hundred answers of base", () => {
    const waits = new LatencyMetrics();
    base(waits, 30, 1000);
    let tried = 0;
    for (let at = 0; at < 10_000; at++) {
      if (waits.isTooSlow(ARM, false)) waits.addBase("tag:f", "unary", 1000);
      else {
        waits.addSeveral(ARM, { family: "tag:f", kind: "unary", ms: 9000 });
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(50);
    expect(tried).toBeLessThan(130);
  });

  it("follow what is slower now, and keep no more than a hundred families", () => {
    const waits = new LatencyMetrics();
    base(waits, 1000, 100);
    base(waits, 1000, 200);
    several(waits, 600, () => 200);
    several(waits, 600, () => 800);
    const [ofBase, ofSeveral] = waits.figures("base");
    expect(ofBase?.meanMs).toBeGreaterThan(195);
    expect(ofSeveral?.slowdown?.mean).toBeGreaterThan(3.7);
    expect(ofSeveral?.slowdown?.answers).toBeCloseTo(200, 0);
    for (let at = 0; at < 300; at++) base(waits, 1, 100, `tag:${at}`);
    expect(waits.toSnapshot().base).toHaveLength(100);
    expect(waits.toSnapshot().base.map(([family]) => family)).toContain("");
    expect(waits.toSnapshot().base.map(([family]) => family)).toContain("tag:299");
  });
});
