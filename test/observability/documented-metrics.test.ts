import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../src/observability/metrics.ts";
import { workersGauge } from "../../src/observability/shared-metrics.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reference", "metrics.md");

const PACKAGING = join(import.meta.dirname, "..", "..", "packaging");

/** Reads the names in the first column of the table of metrics. */
function documentedNames(): string[] {
  return [...readFileSync(PAGE, "utf8").matchAll(/^\| `(attune_\w+)` \|/gm)].map(([, name = ""]) => name);
}

async function exposedNames(): Promise<string[]> {
  const metrics = createMetrics({
    inFlight: () => 0,
    recorder: () => ({
      queued: 0,
      written: 0,
      dropped: 0,
      droppedBodies: 0,
      failedWrites: 0,
      spoolBytes: 0,
      unspooled: 0,
      rejected: 0,
      brokenBytes: 0,
      database: "ok",
    }),
    database: () => "ok",
    places: () => [],
    upstreamKeys: () => [],
    upstreamKindOf: () => "",
    watchesProcess: true,
  });
  return [...(await metrics.collect()), ...(await workersGauge(1))].map(({ name }) => name);
}

/** Metrics of the process, by the names that prom-client gives them. */
const OF_PROCESS = /^(?:process|nodejs)_/;

describe("the metrics of the process", () => {
  it("are there, and no others of unknown names", async () => {
    const names = await exposedNames();
    const own = names.filter((name) => OF_PROCESS.test(name));
    const wanted = ["process_cpu_seconds_total", "process_resident_memory_bytes", "nodejs_eventloop_lag_p99_seconds"];
    expect(own).toEqual(expect.arrayContaining(wanted));
    expect(names.filter((name) => !OF_PROCESS.test(name) && !name.startsWith("attune_"))).toEqual([]);
  });
});

async function exposedOwn(): Promise<string[]> {
  return (await exposedNames()).filter((name) => !OF_PROCESS.test(name));
}

describe("the table of metrics", () => {
  it("has every metric that is exposed, and no others", async () => {
    expect(documentedNames().toSorted(), "run npm run generate").toEqual((await exposedOwn()).toSorted());
  });
});

/** An alert rule of Prometheus. */
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function readRules(): readonly Rule[] {
  const text = readFileSync(join(PACKAGING, "prometheus-alerts.yaml"), "utf8");
  return (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
}

function readPanels(): readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[] {
  return JSON.parse(readFileSync(join(PACKAGING, "grafana-dashboard.json"), "utf8")).panels;
}

/** Returns the names of metrics in a query, without what histograms add to them. */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:attune|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => name.replace(/(?<=_seconds)_(?:bucket|sum|count)$/, ""));
}

describe("the queries in packaging/", () => {
  it("name metrics that are exposed", async () => {
    const exposed = await exposedNames();
    const queries = [
      ...readRules().map(({ alert, expr }) => [alert, expr] as const),
      ...readPanels().flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ];
    expect(queries.length).toBeGreaterThan(25);
    for (const [title, query] of queries) {
      const names = metricsIn(query);
      // Prometheus makes `up` itself.
      if (!query.startsWith("up{")) expect(names, title).not.toEqual([]);
      const where = `${title} in packaging/prometheus-alerts.yaml or packaging/grafana-dashboard.json`;
      expect(exposed, where).toEqual(expect.arrayContaining(names));
    }
  });

  it("are twelve alerts that say what to do, each of which fires in the made-up outage", () => {
    const rules = readRules();
    expect(rules).toHaveLength(12);
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(["summary", "description"]);
    const tests = readFileSync(join(PACKAGING, "prometheus-alerts.test.yaml"), "utf8");
    const firing = [...tests.matchAll(/\{alertname="(\w+)"\}/g)].map(([, name]) => name);
    expect(firing.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });
});
