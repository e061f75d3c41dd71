import { describe, expect, it } from "vitest";
import { Tally } from "../../src/figures/tally.ts";

describe("Tally", () => {
  const sums = { calls: 3, "failed.calls": 1, cost: 30, "priced.calls": 2, "completed.calls": 2 };
  const row = { sums, histograms: { "completed.latency": "81:2 " } };

  it("adds rows up, each sum once however many measures are made of it", () => {
    const tally = new Tally(["calls", "cost", "priced.cost", "priced.cost.mean", "calls", "completed.latency.p50"]);
    tally.add(row);
    tally.add(row);
    const middleMs = 0.125 * 2 ** (80.5 / 8);
    expect(tally.values()).toEqual({
      calls: 6,
      cost: 60,
      "priced.cost": 60,
      "priced.cost.mean": 15,
      "completed.latency.p50": middleMs,
    });
  });

  it("has sums of 0 and no other measures where there are no calls", () => {
    const tally = new Tally(["calls", "cost", "priced.cost", "priced.cost.mean", "completed.latency.p95"]);
    expect(tally.values()).toEqual({
      calls: 0,
      cost: 0,
      "priced.cost": null,
      "priced.cost.mean": null,
      "completed.latency.p95": null,
    });
  });

  it("takes the calls of another one away, their times too", () => {
    const [all, part] = [new Tally(["calls", "completed.latency.p99"]), new Tally(["calls", "completed.latency.p99"])];
    all.add(row);
    all.add({ sums: { calls: 1 }, histograms: { "completed.latency": "120:1 " } });
    part.add({ sums: { calls: 1 }, histograms: { "completed.latency": "120:1 " } });
    all.merge(part, -1);
    expect(all.values()).toEqual({ calls: 3, "completed.latency.p99": 0.125 * 2 ** (80.5 / 8) });
  });
});
