import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/observability/metrics.ts";
import { workersGauge } from "../../src/observability/shared-metrics.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "configuration.md");

/** Reads the names in the first column of the table of metrics; `a_{b,c}_d` stands for two. */
function documentedNames(): string[] {
  const [, section = ""] = /^## Metrics$(.*?)^## /ms.exec(readFileSync(PAGE, "utf8")) ?? [];
  const cells = section.split("\n").map((line) => line.split("|")[1] ?? "");
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`(attune_\w+)(?:\{([\w,]+)\}(\w*))?`/g)].flatMap(([, start = "", middles = "", end = ""]) =>
      middles.split(",").map((middle) => start + middle + end),
    ),
  );
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
    expect(documentedNames().toSorted()).toEqual((await exposedOwn()).toSorted());
  });
});
