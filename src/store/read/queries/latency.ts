import { addHistogram, type Histogram, percentileMs } from "../../types/histogram.ts";
import type { Store } from "../../types/store.ts";
import { type RollupSums, sumRollups } from "./sum-rollups.ts";
import { GROUP_COLUMNS, type UsageQuery, usageColumns } from "./usage.ts";

/** Percentiles of a time, in milliseconds, off by no more than 4.5 percent. */
interface Percentiles {
  /** Calls that it was measured for. */
  readonly calls: number;
  /** Undefined where there are no such calls. */
  readonly meanMs: number | undefined;
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

/** Latencies of one group in one bucket. */
export interface Latency {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** As in Usage. */
  readonly group: readonly string[];
  /** To the end of the answer. */
  readonly total: Percentiles;
  /** To the first token, of answers that had one. */
  readonly firstToken: Percentiles;
}

/** Columns that latencies are made of. */
export const LATENCY_SUMS = ["calls", "latency_micros", "first_token_calls", "first_token_micros"];
export const LATENCY_HISTOGRAMS = ["latencies", "first_tokens"];

/** Reads latencies by time and group, in that order. Failures count too, unless the filter asks for a status. */
export async function readLatency(store: Store, query: UsageQuery): Promise<Latency[]> {
  const { projectId, range, bucket, group, filter } = query;
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range, bucket, sums: LATENCY_SUMS, histograms: LATENCY_HISTOGRAMS },
    group: GROUP_COLUMNS[group],
    filter: usageColumns(filter),
  });
  return rows.map((row) => ({ start: row.start, group: row.group, ...latencyOf(row) }));
}

/** Returns the latencies that a row of sums holds. */
export function latencyOf({ sums, histograms }: RollupSums): Pick<Latency, "total" | "firstToken"> {
  return {
    total: percentiles(sums["calls"], sums["latency_micros"], histograms["latencies"]),
    firstToken: percentiles(sums["first_token_calls"], sums["first_token_micros"], histograms["first_tokens"]),
  };
}

function percentiles(calls = 0, micros = 0, text = ""): Percentiles {
  const histogram: Histogram = [];
  addHistogram(histogram, text);
  return {
    calls,
    meanMs: calls === 0 ? undefined : micros / calls / 1000,
    p50Ms: percentileMs(histogram, 0.5),
    p95Ms: percentileMs(histogram, 0.95),
    p99Ms: percentileMs(histogram, 0.99),
  };
}
