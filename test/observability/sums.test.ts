import { AggregatorRegistry, Counter, Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { createCounter, createHistogram } from "../../src/observability/sums.ts";

const COUNTER = { name: "calls_total", help: "Calls", labelNames: ["upstream", "outcome"] as const };
const HISTOGRAM = { name: "seconds", help: "How long", labelNames: ["upstream"] as const, buckets: [0.1, 1, 10] };

const CALLS: readonly (readonly [amount: number, upstream: string, outcome: string])[] = [
  [1, "one", "completed"],
  [2, "one", "failed"],
  [0.5, 'a "quoted" \\ name\nof two lines', "completed"],
  [1, "one", "completed"],
];
const TIMES: readonly (readonly [seconds: number, upstream: string])[] = [
  [0.1, "one"],
  [0.05, "two"],
  [1.5, "one"],
  [10, "one"],
  [11, "two"],
];

/** The same counts with the classes of prom-client. */
function ofPromClient(): Registry {
  const registry = new Registry();
  const counter = new Counter({ ...COUNTER, registers: [registry] });
  const histogram = new Histogram({ ...HISTOGRAM, registers: [registry] });
  for (const [amount, upstream, outcome] of CALLS) counter.inc({ upstream, outcome }, amount);
  for (const [seconds, upstream] of TIMES) histogram.observe({ upstream }, seconds);
  return registry;
}

function ofSums(): Registry {
  const registry = new Registry();
  const count = createCounter({ registry, ...COUNTER });
  const observe = createHistogram({ registry, ...HISTOGRAM });
  for (const call of CALLS) count(...call);
  for (const time of TIMES) observe(...time);
  return registry;
}

describe("createCounter() and createHistogram()", () => {
  it("write the page that prom-client writes", async () => {
    expect(await ofSums().metrics()).toBe(await ofPromClient().metrics());
  });

  it("have only their names and types to say where nothing was counted", async () => {
    const registry = new Registry();
    createCounter({ registry, ...COUNTER });
    createHistogram({ registry, ...HISTOGRAM });
    expect(await registry.metrics()).toBe(
      "# HELP calls_total Calls\n# TYPE calls_total counter\n\n# HELP seconds How long\n# TYPE seconds histogram\n",
    );
  });

  it("keep apart values that are alike when they are written one after another", async () => {
    const registry = new Registry();
    const count = createCounter({ registry, ...COUNTER });
    count(1, "a", "bc");
    count(1, "ab", "c");
    expect((await registry.metrics()).split("\n").slice(2, -1)).toEqual([
      'calls_total{upstream="a",outcome="bc"} 1',
      'calls_total{upstream="ab",outcome="c"} 1',
    ]);
  });

  it("are added up over processes", async () => {
    const parts = [await ofSums().getMetricsAsJSON(), await ofPromClient().getMetricsAsJSON()];
    const sum = await AggregatorRegistry.aggregate(parts).metrics();
    expect(sum).toContain('calls_total{upstream="one",outcome="completed"} 4\n');
    expect(sum).toContain('seconds_bucket{le="10",upstream="one"} 6\n');
    expect(sum).toContain('seconds_bucket{le="+Inf",upstream="two"} 4\n');
    expect(sum).toContain('seconds_sum{upstream="two"} 22.1\n');
  });
});
