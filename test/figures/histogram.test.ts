import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addHistogram,
  countLatency,
  encodeHistogram,
  findBucket,
  type Histogram,
  percentileMs,
} from "../../src/figures/histogram.ts";

function histogramOf(latencies: readonly number[]): Histogram {
  const histogram: Histogram = [];
  for (const latency of latencies) countLatency(histogram, latency);
  return histogram;
}

describe("findBucket()", () => {
  const buckets: [latencyMs: number, bucket: number][] = [
    [0, 0],
    [0.125, 0],
    [0.126, 1],
    [0.25, 9],
    [1, 25],
    [1.99, 32],
    [2, 33],
    [1000, 104],
  ];
  it.each(buckets)("puts %d ms into bucket %d", (latencyMs, bucket) => {
    expect(findBucket(latencyMs)).toBe(bucket);
  });
});

describe("encodeHistogram()", () => {
  it("writes buckets in their order", () => {
    expect(encodeHistogram(histogramOf([1000, 1, 1000, 0]))).toBe("0:1 25:1 104:2 ");
    expect(encodeHistogram([])).toBe("");
  });

  it("is read back, also where several stand in a row", () => {
    const histogram: Histogram = [];
    addHistogram(histogram, "0:1 104:2 25:1 104:12 ");
    expect(encodeHistogram(histogram)).toBe("0:1 25:1 104:14 ");
  });
});

describe("percentileMs()", () => {
  it("knows nothing of nothing", () => {
    expect(percentileMs([], 0.5)).toBeUndefined();
  });

  it("is off by no more than 4.5 percent", () => {
    const latencies = fc.array(fc.double({ min: 0.13, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.95, 1), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const found = percentileMs(histogramOf(values), share) ?? 0;
        expect(Math.abs(found - exact) / exact).toBeLessThan(0.0451);
      }),
    );
  });
});
