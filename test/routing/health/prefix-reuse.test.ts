import { describe, expect, it } from "vitest";
import { PrefixReuse } from "../../../src/routing/health/prefix-reuse.ts";

const MINUTE = 60_000;

function watch() {
  let now = 0;
  const reuse = new PrefixReuse(() => now);
  return {
    reuse,
    arrive: (key: number, afterMs = 0, prior = 0, group = "g") => {
      now += afterMs;
      return reuse.arrived({ key, group, prior });
    },
  };
}

describe("PrefixReuse", () => {
  it("expects nothing but what is likely of what it does not know", () => {
    const { arrive } = watch();
    expect(arrive(1)).toBe(0);
    expect(arrive(2, 0, 0.5, "h")).toBe(0.5);
  });

  it("expects a prefix again that came again while a cache held it", () => {
    const { arrive } = watch();
    arrive(1);
    expect(arrive(1, 5 * MINUTE)).toBeCloseTo(0.3);
    expect(arrive(1, MINUTE)).toBeCloseTo(0.51);
  });

  it("forgets what comes too late for a cache", () => {
    const { arrive } = watch();
    for (let time = 0; time < 10; time++) arrive(1, MINUTE);
    const rates = Array.from({ length: 5 }, () => arrive(1, 5 * MINUTE + 1));
    expect(rates.at(-1)).toBeLessThan(0.2);
  });

  it("learns of new prefixes from their group, and of no other", () => {
    const { arrive } = watch();
    for (let key = 0; key < 20; key++) arrive(key, 0, 0.5);
    expect(arrive(100, 0, 0.5)).toBeLessThan(0.2);
    expect(arrive(101, 0, 0.5, "other")).toBe(0.5);
    for (let time = 0; time < 40; time++) arrive(100);
    expect(arrive(102, 0, 0.5)).toBeGreaterThan(0.8);
  });

  it("remembers a bounded number of prefixes", () => {
    const { reuse, arrive } = watch();
    for (let key = 0; key < 20_100; key++) arrive(key);
    expect(reuse.size).toBe(20_000);
    expect(arrive(20_099)).toBeGreaterThan(0.2);
    expect(arrive(0)).toBeLessThan(0.1);
  });
});
