import { AggregatorRegistry, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";

/** Metrics of one process as they go to another one. */
export type SharedMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Returns the metrics of several processes as one page in the text format of Prometheus. */
export async function exposeTogether(parts: readonly SharedMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...parts]).metrics();
}

/**
 * Returns what goes on counting after the processes that counted it have ended: a sum that fell would look as if all
 * had begun anew. What a gauge said ended with its process.
 */
export async function countedBy(parts: readonly SharedMetrics[]): Promise<SharedMetrics> {
  const counted = parts.map((metrics) => metrics.filter(({ type }) => COUNTING.has(String(type))));
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON();
}

const COUNTING = new Set(["counter", "histogram"]);

/** Returns how many processes told of themselves. */
export function workersGauge(count: number): Promise<SharedMetrics> {
  const registry = new Registry();
  const help = "Processes that serve on this port and told of themselves on this page";
  new Gauge({ name: "attune_workers", help, registers: [registry] }).set(count);
  return registry.getMetricsAsJSON();
}
