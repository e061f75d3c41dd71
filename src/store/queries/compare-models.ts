import type { Store } from "../store.ts";
import { type Latency, readLatency } from "./latency.ts";
import { type Metric, readMetrics } from "./metrics.ts";
import type { TimeRange } from "./range.ts";
import { readUsage, type Usage } from "./usage.ts";

/** What to compare models on. */
export interface ComparisonQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  /** undefined is all workloads. */
  readonly workload?: string | undefined;
}

/** One model beside the others. */
export interface ModelComparison {
  readonly model: string;
  readonly calls: number;
  /** Its part of all calls, 0 to 1. */
  readonly share: number;
  /** Part of its calls that failed, 0 to 1; those that the caller gave up are no failures. */
  readonly errorRate: number;
  /** Mean of the calls whose cost is known. */
  readonly costNanosPerCall: number | undefined;
  /** Of calls that completed. */
  readonly latency: Pick<Latency, "total" | "firstToken"> | undefined;
  readonly metrics: readonly Metric[];
}

/** Compares the models of a workload, the most used first. */
export async function compareModels(store: Store, query: ComparisonQuery): Promise<ModelComparison[]> {
  const { projectId, range, workload } = query;
  const byModel = { projectId, range, bucket: "none", group: "model" } as const;
  const [usage, failures, latencies, metrics] = await Promise.all([
    readUsage(store, { ...byModel, filter: { workload } }),
    readUsage(store, { ...byModel, filter: { workload, status: "failed" } }),
    readLatency(store, { ...byModel, filter: { workload, status: "completed" } }),
    readMetrics(store, { ...byModel, filter: { workload } }),
  ]);
  const calls = usage.reduce((sum, row) => sum + row.calls, 0);
  const of = <Row extends { readonly group: readonly string[] }>(rows: readonly Row[], model: string) =>
    rows.find(({ group }) => group[0] === model);
  const compared = usage.map((row) => {
    const [model = ""] = row.group;
    return {
      model,
      calls: row.calls,
      share: row.calls / calls,
      errorRate: (of(failures, model)?.calls ?? 0) / row.calls,
      costNanosPerCall: costPerCall(row),
      latency: withoutPlace(of(latencies, model)),
      metrics: metrics.filter(({ group }) => group === model),
    };
  });
  return compared.sort((a, b) => b.calls - a.calls);
}

function costPerCall({ pricedCalls, costNanos }: Usage): number | undefined {
  return pricedCalls === 0 ? undefined : costNanos / pricedCalls;
}

function withoutPlace(latency: Latency | undefined): Pick<Latency, "total" | "firstToken"> | undefined {
  return latency === undefined ? undefined : { total: latency.total, firstToken: latency.firstToken };
}
