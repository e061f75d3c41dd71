import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import type { SharedMetrics } from "../../src/observability/shared-metrics.ts";
import type { ToWorker } from "../../src/workers/messages.ts";
import { MetricsOfAll, type MetricsSource } from "../../src/workers/metrics-of-all.ts";

/** A worker's metrics: so many requests, each of half a second, a state and what waits. */
function metricsOf(requests: number, { isAway = false, waiting = 0 } = {}): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "requests_total", help: "Requests", labelNames: ["model"], registers }).inc(
    { model: "m" },
    requests,
  );
  const seconds = new Histogram({ name: "seconds", help: "Seconds", buckets: [1], registers });
  for (let count = 0; count < requests; count++) seconds.observe(0.5);
  new Gauge({ name: "away", help: "State", aggregator: "max", registers }).set(Number(isAway));
  new Gauge({ name: "waiting", help: "Waiting", registers }).set(waiting);
  return registry;
}

function worker(all: MetricsOfAll, registry: Registry): MetricsSource & { readonly silence: { is: boolean } } {
  const silence = { is: false };
  const asked = {
    silence,
    send(message: ToWorker) {
      if (message.kind !== "attune:collect" || silence.is) return;
      // As it goes between processes: nothing but plain values arrives.
      void registry
        .getMetricsAsJSON()
        .then((metrics) => all.told(asked, JSON.parse(JSON.stringify(metrics)), message.id));
    },
  };
  all.add(asked);
  return asked;
}

const linesOf = (page: string): string[] => page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("MetricsOfAll", () => {
  it("adds up what is counted, and takes states as each says they go together", async () => {
    const all = new MetricsOfAll();
    worker(all, metricsOf(3, { isAway: true, waiting: 5 }));
    worker(all, metricsOf(4, { waiting: 6 }));
    const lines = linesOf(await all.expose());
    expect(lines).toEqual([
      'requests_total{model="m"} 7',
      'seconds_bucket{le="1"} 7',
      'seconds_bucket{le="+Inf"} 7',
      "seconds_sum 3.5",
      "seconds_count 7",
      "away 1",
      "waiting 11",
      "attune_workers 2",
    ]);
  });

  it("goes on counting what workers counted that have ended, and forgets their states", async () => {
    const all = new MetricsOfAll();
    const [first, second] = [worker(all, metricsOf(3, { isAway: true, waiting: 5 })), worker(all, metricsOf(2))];
    worker(all, metricsOf(4));
    await all.expose();
    all.remove(first);
    all.remove(second);
    const lines = linesOf(await all.expose());
    expect(lines).toContain('requests_total{model="m"} 9');
    expect(lines).toContain("seconds_count 9");
    expect(lines).toContain("away 0");
    expect(lines).toContain("waiting 0");
    expect(lines).toContain("attune_workers 1");
  });

  it("knows what a worker told when it ended, though nobody had asked", async () => {
    const all = new MetricsOfAll();
    const ending = worker(all, metricsOf(0));
    all.told(ending, await metricsOf(8).getMetricsAsJSON());
    all.remove(ending);
    expect(linesOf(await all.expose())).toContain('requests_total{model="m"} 8');
  });

  it("goes on after a worker of another version whose metrics cannot be added up", async () => {
    const all = new MetricsOfAll();
    const counted = worker(all, metricsOf(3));
    const other = worker(all, metricsOf(0));
    await all.expose();
    const [metric] = await metricsOf(1).getMetricsAsJSON();
    const strange = [{ ...metric, aggregator: "newest" }] as unknown as SharedMetrics;
    all.told(other, strange);
    all.remove(other);
    all.remove(counted);
    worker(all, metricsOf(4));
    expect(linesOf(await all.expose())).toContain('requests_total{model="m"} 7');
  });

  it("leaves out a worker that does not answer in time", async () => {
    const all = new MetricsOfAll(20);
    worker(all, metricsOf(3));
    worker(all, metricsOf(4)).silence.is = true;
    const lines = linesOf(await all.expose());
    expect(lines).toContain('requests_total{model="m"} 3');
    expect(lines).toContain("attune_workers 1");
  });

  it("asks the workers no more often than pages are made, however many ask for one", async () => {
    const all = new MetricsOfAll();
    const asked = worker(all, metricsOf(3));
    let questions = 0;
    const counting = {
      send(message: ToWorker) {
        questions += 1;
        if (message.kind === "attune:collect") all.told(counting, [], message.id);
      },
    };
    all.add(counting);
    const pages = await Promise.all(Array.from({ length: 100 }, () => all.expose()));
    expect([questions, new Set(pages).size]).toEqual([1, 1]);
    all.remove(asked);
    expect(linesOf(await all.expose())).toContain("attune_workers 1");
    expect(questions).toBe(2);
  });

  it("does not wait for a worker that ends meanwhile", async () => {
    const all = new MetricsOfAll(60_000);
    const ending = worker(all, metricsOf(4));
    ending.silence.is = true;
    const page = all.expose();
    all.remove(ending);
    expect(linesOf(await page)).toEqual(["attune_workers 0"]);
  });
});
