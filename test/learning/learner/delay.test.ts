import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Delay, learnedWithinMs, noteDelay } from "../../../src/learning/learner/delay.ts";

function noted(delays: readonly number[]): Delay | undefined {
  let known: Delay | undefined;
  for (const ms of delays) known = noteDelay(known, ms);
  return known;
}

describe("learnedWithinMs()", () => {
  it("reckons with more than half of a second before anything is known", () => {
    expect(learnedWithinMs(undefined)).toBe(600);
  });

  it("comes to what is usual, and to longer where the learner falls behind", () => {
    expect(learnedWithinMs(noted(Array(500).fill(120)))).toBeCloseTo(220, 0);
    const behind = noted([...Array(500).fill(120), ...Array(200).fill(3000)]);
    expect(learnedWithinMs(behind)).toBeGreaterThan(3000);
  });

  it("is longer than nineteen of twenty delays that vary", () => {
    const delays = Array.from({ length: 1000 }, (_, at) => 50 + (at % 20) ** 2);
    const within = learnedWithinMs(noted(delays)) - 100;
    expect(delays.filter((ms) => ms > within).length).toBeLessThanOrEqual(50);
  });

  it("goes back beyond what a learner that was away has learned, and not where it keeps up", () => {
    const known = noted(Array(500).fill(120));
    expect(learnedWithinMs(known, 900)).toBe(learnedWithinMs(known));
    expect(learnedWithinMs(known, -5000)).toBe(learnedWithinMs(known));
    expect(learnedWithinMs(known, 60_000)).toBe(60_000 + learnedWithinMs(known));
    expect(learnedWithinMs(undefined, 60_000)).toBe(60_600);
  });

  it("takes no note of feedback that comes late, and of clocks that are apart", () => {
    const known = noted([100, 110, 90]);
    for (const ms of [10_001, 86_400_000, -5, Number.NaN]) expect(noteDelay(known, ms)).toBe(known);
  });

  it("is within what was seen, four mean distances more, and a tenth of a second", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }), (delays) => {
        const within = learnedWithinMs(noted(delays));
        expect(within).toBeGreaterThanOrEqual(100 + Math.min(...delays) - 1e-6);
        expect(within).toBeLessThanOrEqual(100 + 5 * Math.max(...delays) + 1e-6);
      }),
    );
  });
});
