import type { Store } from "../../types/store.ts";
import { LATENCY_HISTOGRAMS, LATENCY_SUMS, type Latency, latencyOf } from "./latency.ts";
import { type Metric, readMetrics } from "./metrics.ts";
import type { TimeRange } from "./range.ts";
import { type RollupSums, sumRollups } from "./sum-rollups.ts";

/** The query of a comparison of models. */
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
  const whole = { projectId, range, bucket: "none" } as const;
  const [rows, metrics] = await Promise.all([
    sumRollups(store, {
      ...{ ...whole, rollup: "usage", group: ["model", "status"], filter: { workload } },
      ...{ sums: ["calls", "priced_calls", "cost_nanos", ...LATENCY_SUMS], histograms: LATENCY_HISTOGRAMS },
    }),
    readMetrics(store, { ...whole, group: "model", filter: { workload } }),
  ]);
  const calls = sumOf(rows, "calls");
  const models = [...new Set(rows.map(({ group }) => group[0] ?? ""))];
  const compared = models.map((model) => ({
    ...compareOne(model, rows),
    share: sumOf(rowsOf(rows, model), "calls") / calls,
    metrics: metrics.filter(({ group }) => group === model),
  }));
  return compared.sort((a, b) => b.calls - a.calls);
}

function compareOne(model: string, all: readonly RollupSums[]) {
  const rows = rowsOf(all, model);
  const [calls, pricedCalls] = [sumOf(rows, "calls"), sumOf(rows, "priced_calls")];
  const [completed] = rowsOf(all, model, "completed");
  return {
    model,
    calls,
    errorRate: sumOf(rowsOf(all, model, "failed"), "calls") / calls,
    costNanosPerCall: pricedCalls === 0 ? undefined : sumOf(rows, "cost_nanos") / pricedCalls,
    latency: completed === undefined ? undefined : latencyOf(completed),
  };
}

function rowsOf(rows: readonly RollupSums[], model: string, status?: string): RollupSums[] {
  return rows.filter(({ group }) => group[0] === model && (status === undefined || group[1] === status));
}

function sumOf(rows: readonly RollupSums[], column: string): number {
  return rows.reduce((sum, { sums }) => sum + (sums[column] ?? 0), 0);
}
