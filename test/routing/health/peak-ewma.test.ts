import { describe, expect, it } from "vitest";
import { PeakEwma } from "../../../src/routing/health/health-tracker.ts";

describe("PeakEwma", () => {
  it("knows nothing at first", () => {
    const times = new PeakEwma();
    expect([times.peakMs, times.meanMs]).toEqual([undefined, undefined]);
  });

  it("follows a rise at once and a fall slowly", () => {
    const times = new PeakEwma();
    times.observe(100, 0);
    times.observe(1000, 1);
    expect(times.peakMs).toBe(1000);
    times.observe(100, 2);
    // A tenth of the new sample, nine of what was.
    expect(times.peakMs).toBeCloseTo(910, 6);
  });

  it("forgets by time: after thirty seconds a sample weighs about two thirds", () => {
    const times = new PeakEwma();
    times.observe(1000, 0);
    times.observe(100, 30_000);
    expect(times.peakMs).toBeCloseTo(1000 / Math.E + 100 * (1 - 1 / Math.E), 6);
    expect(times.trustAt(30_000)).toBe(1);
    expect(times.trustAt(60_000)).toBeCloseTo(1 / Math.E, 6);
  });

  it("has an average of five samples and more", () => {
    const times = new PeakEwma();
    for (let sample = 0; sample < 4; sample++) times.observe(200, sample);
    expect(times.meanMs).toBeUndefined();
    times.observe(200, 4);
    expect(times.meanMs).toBeCloseTo(200, 6);
  });
});
