import { describe, expect, it } from "vitest";
import { Histogram } from "../../../src/observability/telemetry/sdk/histogram.ts";

const options = { name: "n", description: "d", unit: "s", boundaries: [1, 2] };

describe("Histogram", () => {
  it("counts a value in the bucket whose upper end it does not exceed", () => {
    const histogram = new Histogram(options);
    const series = histogram.open({ a: 1 });
    for (const value of [0, 1, 1.5, 2, 3]) series.record(value);
    expect(histogram.collect([1, 0], [2, 0]).dataPoints).toEqual([
      {
        startTime: [1, 0],
        endTime: [2, 0],
        attributes: { a: 1 },
        value: { buckets: { boundaries: [1, 2], counts: [2, 2, 1] }, sum: 7.5, count: 5 },
      },
    ]);
  });

  it("counts what is beyond 2000 series in one", () => {
    const histogram = new Histogram(options);
    for (let at = 0; at < 2010; at++) histogram.open({ at }).record(1);
    const { dataPoints } = histogram.collect([1, 0], [2, 0]);
    expect(dataPoints).toHaveLength(2001);
    expect(dataPoints.at(-1)).toMatchObject({ attributes: { "otel.metric.overflow": true }, value: { count: 10 } });
  });
});
