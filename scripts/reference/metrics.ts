import { Registry } from "prom-client";
import { createMetrics } from "../../src/observability/metrics.ts";
import { workersGauge } from "../../src/observability/shared-metrics.ts";
import { code, page, table } from "./markdown.ts";

/** A metric as the registry keeps it. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

const NOTHING = {
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
};

/** Returns the page of metrics. */
export async function metricsPage(): Promise<string> {
  const registry = new Registry();
  const sources = { recorder: () => NOTHING, database: () => "ok", inFlight: () => 0, upstreamKindOf: () => "" };
  createMetrics(
    { ...sources, places: () => [], upstreamKeys: () => [], audits: () => [], waiting: () => [] },
    registry,
  );
  const own = (await registry.getMetricsAsArray()) as unknown as readonly Metric[];
  const workers = (await workersGauge(1)) as unknown as readonly Metric[];
  const rows = [...own, ...workers]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labelNames = [], help }) => [code(name), type, labelNames.map(code).join(", "), help]);
  return page("Metrics", "`src/observability`", [
    "The metrics of `GET /metrics`, in Prometheus text format. For ports and tokens, see " +
      "[telemetry](../telemetry.md#metrics-for-prometheus).",
    table(["metric", "type", "labels", "meaning"], rows),
    "`process_*` and `nodejs_*` are prom-client's process metrics. " + "`attune_workers` exists only with `--workers`.",
  ]);
}
