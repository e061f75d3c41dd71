import { describe, expect, it } from "vitest";
import { FirstTokenTimes } from "../../../src/routing/health/first-token-times.ts";

describe("FirstTokenTimes", () => {
  it("says nothing of fewer than fifty", () => {
    const times = new FirstTokenTimes();
    for (let sample = 0; sample < 49; sample++) times.observe("m", 100);
    expect(times.quantile("m", 0.95)).toBeUndefined();
    times.observe("m", 100);
    expect(times.quantile("m", 0.95)).toBeDefined();
    expect(times.quantile("other", 0.95)).toBeUndefined();
  });

  it("finds a quantile to within a tenth above", () => {
    const times = new FirstTokenTimes();
    for (let sample = 1; sample <= 900; sample++) times.observe("m", sample);
    for (const part of [0.5, 0.95, 0.99]) {
      const found = times.quantile("m", part) ?? 0;
      expect(found).toBeGreaterThanOrEqual(900 * part);
      expect(found).toBeLessThanOrEqual(900 * part * 1.11);
    }
  });

  it("follows what changes: older samples weigh less and less", () => {
    const times = new FirstTokenTimes();
    for (let sample = 0; sample < 5000; sample++) times.observe("m", 100);
    for (let sample = 0; sample < 2000; sample++) times.observe("m", 1000);
    expect(times.quantile("m", 0.5)).toBeGreaterThan(900);
  });

  it("takes any time at all", () => {
    const times = new FirstTokenTimes();
    for (let sample = 0; sample < 60; sample++) times.observe("m", sample % 2 === 0 ? 0 : 1e12);
    expect(times.quantile("m", 0.25)).toBeLessThan(2);
    expect(times.quantile("m", 0.95)).toBeGreaterThan(1_000_000);
  });
});
