import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ExchangeClock, type Timed } from "../../src/upstream/exchange-clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Begins to wait at this moment; returns when the limit was found to have passed, in milliseconds since then. */
function waitFor(clock: ExchangeClock, limitMs: number): { passedMs: number | undefined } {
  const [since, sinceMs] = [clock.now, Date.now()];
  const found: { passedMs: number | undefined } = { passedMs: undefined };
  const item: Timed = {
    slot: -1,
    tick() {
      if (!clock.hasPassed(limitMs, since)) return;
      found.passedMs = Date.now() - sinceMs;
      clock.remove(item);
    },
  };
  clock.add(item);
  return found;
}

describe("ExchangeClock", () => {
  it.each([
    { limits: [1000, 120_000], limitMs: 1000, mostMs: 1250 },
    { limits: [1000, 120_000], limitMs: 120_000, mostMs: 120_500 },
    { limits: [40, 1000], limitMs: 40, mostMs: 50 },
    { limits: [1], limitMs: 1, mostMs: 11 },
  ])("finds that $limitMs ms have passed, not before, and after $mostMs at most", ({ limits, limitMs, mostMs }) => {
    const clock = new ExchangeClock(limits);
    // It runs already, and the moments are anywhere between its ticks.
    waitFor(clock, 10 * limitMs);
    for (let offset = 0; offset < 50; offset++) {
      vi.advanceTimersByTime(7);
      const found = waitFor(clock, limitMs);
      vi.advanceTimersByTime(limitMs - 1);
      expect(found.passedMs).toBeUndefined();
      vi.advanceTimersByTime(mostMs - limitMs + 1);
      expect(found.passedMs).toBeGreaterThanOrEqual(limitMs);
      expect(found.passedMs).toBeLessThanOrEqual(mostMs);
    }
  });

  it("has a timer only while there is something to look at", () => {
    const clock = new ExchangeClock([1000]);
    expect(vi.getTimerCount()).toBe(0);
    const found = waitFor(clock, 1000);
    waitFor(clock, 500);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(found.passedMs).toBeDefined();
    expect(vi.getTimerCount()).toBe(0);
    const again = waitFor(clock, 1000);
    vi.advanceTimersByTime(1500);
    expect(again.passedMs).toBeDefined();
  });
});
