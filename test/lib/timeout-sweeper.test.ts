import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimeoutSweeper } from "../../src/lib/timeout-sweeper.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Sweep", () => {
  it("looks at each of those that are held, and no longer at those that are not", () => {
    const looked: string[] = [];
    const sweep = new TimeoutSweeper<{ slot: number; name: string }>(100, ({ name }) => looked.push(name));
    const [one, other] = [
      { slot: -1, name: "one" },
      { slot: -1, name: "other" },
    ];
    sweep.add(one);
    vi.advanceTimersByTime(99);
    sweep.add(other);
    expect(looked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(looked).toEqual(["one", "other"]);
    sweep.remove(one);
    sweep.remove(one);
    vi.advanceTimersByTime(100);
    expect(looked).toEqual(["one", "other", "other"]);
  });

  it("has one timer, and only while there is something to look at", () => {
    const limit = { slot: -1, untilMs: Date.now() + 250 };
    const sweep = new TimeoutSweeper<typeof limit>(100, (item) => {
      if (Date.now() >= item.untilMs) sweep.remove(item);
    });
    expect(vi.getTimerCount()).toBe(0);
    sweep.add(limit);
    sweep.add({ slot: -1, untilMs: Date.now() });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(299);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
    sweep.add({ slot: -1, untilMs: Date.now() });
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});
