import { addHistogram, type Histogram, percentileMs } from "../../types/histogram.ts";
import type { RollupSums } from "./sum-rollups.ts";

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

/** Latencies of calls. */
export interface Latency {
  /** To the end of the answer. */
  readonly total: Percentiles;
  /** To the first token, of answers that had one. */
  readonly firstToken: Percentiles;
}

/** Columns that latencies are made of. */
export const LATENCY_SUMS = ["calls", "latency_micros", "first_token_calls", "first_token_micros"];
export const LATENCY_HISTOGRAMS = ["latencies", "first_tokens"];

/** Returns the latencies that a row of sums holds. */
export function latencyOf({ sums, histograms }: RollupSums): Latency {
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
