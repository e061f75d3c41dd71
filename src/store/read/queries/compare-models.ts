import type { Store } from "../../types/store.ts";
import { type Estimate, estimateShare } from "./confidence.ts";
import { LATENCY_HISTOGRAMS, LATENCY_SUMS, type Latency, latencyOf } from "./latency.ts";
import { type Metric, readMetrics } from "./metrics.ts";
import type { TimeRange } from "./range.ts";
import { type RollupSums, sumRollups } from "./sum-rollups.ts";

const MICROS_PER_SECOND = 1e6;

/** The query of a comparison of models. */
interface ComparisonQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  /** undefined is all workloads. */
  readonly workload?: string | undefined;
}

/** One model beside the others, by what it answered, or failed to. */
export interface ModelComparison {
  readonly model: string;
  readonly calls: number;
  /** Its calls by the model that they asked for, the most used first. */
  readonly asked: readonly AskedCalls[];
  /** Calls that asked for it, whichever model answered. */
  readonly askedCalls: number;
  /** Its part of all calls, 0 to 1. */
  readonly share: number;
  /** Part of its calls that failed, 0 to 1; those that the caller gave up are no failures. */
  readonly errorRate: number;
  /** The rate of errors with its interval. */
  readonly errors: Estimate;
  /** Mean of the calls whose cost is known. */
  readonly costNanosPerCall: number | undefined;
  /** Of calls that completed. */
  readonly latency: Latency | undefined;
  /** Output tokens for each second from the request to the end of the answer, of calls that completed. */
  readonly tokensPerSecond: number | undefined;
  readonly metrics: readonly Metric[];
}

/** Calls that asked for a model. */
interface AskedCalls {
  readonly model: string;
  readonly calls: number;
}

/**
 * Compares the models that answered in a workload, the most used first. Models that nobody asked for are among them.
 */
export async function compareModels(store: Store, query: ComparisonQuery): Promise<ModelComparison[]> {
  const { projectId, range, workload } = query;
  const whole = { projectId, range, bucket: "none" } as const;
  const usage = { ...whole, rollup: "usage", filter: { workload } } as const;
  const [rows, pairs, metrics] = await Promise.all([
    sumRollups(store, {
      ...{ ...usage, group: ["served_model", "status"] },
      ...{
        sums: ["calls", "priced_calls", "cost_nanos", "output_tokens", ...LATENCY_SUMS],
        histograms: LATENCY_HISTOGRAMS,
      },
    }),
    sumRollups(store, { ...usage, group: ["served_model", "model"], sums: ["calls"] }),
    readMetrics(store, { ...whole, group: "servedModel", filter: { workload } }),
  ]);
  const calls = sumOf(rows, "calls");
  const models = [...new Set(pairs.flatMap(({ group }) => group))];
  const compared = models.map((model) => ({
    ...compareOne(model, rows),
    share: sumOf(rowsOf(rows, model), "calls") / calls,
    asked: askedOf(rowsOf(pairs, model)),
    askedCalls: sumOf(
      pairs.filter(({ group: [, asked] }) => asked === model),
      "calls",
    ),
    metrics: metrics.filter(({ group }) => group === model),
  }));
  return compared.sort((a, b) => b.calls - a.calls);
}

function askedOf(pairs: readonly RollupSums[]): AskedCalls[] {
  const asked = pairs.map(({ group: [, model = ""], sums }) => ({ model, calls: sums["calls"] ?? 0 }));
  return asked.sort((a, b) => b.calls - a.calls);
}

function compareOne(model: string, all: readonly RollupSums[]) {
  const rows = rowsOf(all, model);
  const [calls, pricedCalls] = [sumOf(rows, "calls"), sumOf(rows, "priced_calls")];
  const [completed] = rowsOf(all, model, "completed");
  const failed = sumOf(rowsOf(all, model, "failed"), "calls");
  return {
    model,
    calls,
    errorRate: calls === 0 ? 0 : failed / calls,
    errors: estimateShare(calls, failed),
    costNanosPerCall: pricedCalls === 0 ? undefined : sumOf(rows, "cost_nanos") / pricedCalls,
    latency: completed === undefined ? undefined : latencyOf(completed),
    tokensPerSecond: completed && tokensPerSecond(completed.sums),
  };
}

function tokensPerSecond({ output_tokens = 0, latency_micros = 0 }: RollupSums["sums"]): number | undefined {
  return latency_micros === 0 ? undefined : output_tokens / (latency_micros / MICROS_PER_SECOND);
}

function rowsOf(rows: readonly RollupSums[], model: string, status?: string): RollupSums[] {
  return rows.filter(({ group }) => group[0] === model && (status === undefined || group[1] === status));
}

function sumOf(rows: readonly RollupSums[], column: string): number {
  return rows.reduce((sum, { sums }) => sum + (sums[column] ?? 0), 0);
}
