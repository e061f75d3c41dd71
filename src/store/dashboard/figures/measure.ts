import { SAVED_COLUMNS } from "../../../hub/saving-kinds.ts";
import { addHistogram, type Histogram, percentileMs } from "../../types/histogram.ts";

/** Columns that are added up, whatever became of the calls. */
export const SUMMED = [
  // Input tokens are those that were neither read from a cache nor written into one.
  ...(["calls", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const),
  // Costs are those of the priced calls; the base cost is that of plain calls of the base models. What a prompt cache
  // saved is negative where writing cost more than reading saved.
  ...(["pricedCalls", "costNanos", "baseCostNanos", "cacheSavedNanos"] as const),
  ...Object.values(SAVED_COLUMNS),
];
export type Summed = (typeof SUMMED)[number];

/** Sums that only calls of one outcome add to. */
const OF_OUTCOME = ["failedCalls", "completedTokens", "completedMicros"] as const;

/** The sums over calls. */
export interface Sums extends Record<Summed | (typeof OF_OUTCOME)[number], number> {
  /** Histograms of the calls that completed. */
  readonly total: Histogram;
  readonly firstToken: Histogram;
}

/** The counts of calls with the same outcome. */
export interface Counted extends Readonly<Record<Summed, number>> {
  readonly status: string;
  /** Their latencies together. */
  readonly latencyMicros: number;
  readonly latencies: string;
  readonly firstTokens: string;
}

/** Middle and slow ends of a time, in milliseconds; null where no call was measured. */
interface Percentiles {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** The totals of calls, as pages show them. */
export interface Measures extends Readonly<Record<Summed | "failedCalls", number>> {
  /** Output tokens by the time from the request to the end of the answer, of calls that completed; null without any. */
  readonly tokensPerSecond: number | null;
  /** To the end of the answer, of calls that completed. */
  readonly total: Percentiles;
  /** To the first token, of calls that completed and were streamed. */
  readonly firstToken: Percentiles;
}

const ADDITIVE = [...SUMMED, ...OF_OUTCOME];

const NOTHING = Object.fromEntries(ADDITIVE.map((name) => [name, 0])) as Record<(typeof ADDITIVE)[number], number>;

/** Returns the sums of no calls. */
export function noSums(): Sums {
  return { ...NOTHING, total: [], firstToken: [] };
}

/** Adds calls to sums. */
export function addCounted(sums: Sums, counted: Counted): void {
  for (const column of SUMMED) sums[column] += counted[column];
  if (counted.status === "failed") sums.failedCalls += counted.calls;
  // How long a failure took says nothing of how long an answer takes.
  if (counted.status !== "completed") return;
  sums.completedTokens += counted.outputTokens;
  sums.completedMicros += counted.latencyMicros;
  addHistogram(sums.total, counted.latencies);
  addHistogram(sums.firstToken, counted.firstTokens);
}

/** Adds sums to others; their histograms are read already, which is most of the work. */
export function addSums(sums: Sums, added: Sums): void {
  combine(sums, added, 1);
}

/** Returns what stays of sums without a part of them. */
export function subtract(whole: Sums, part: Sums): Sums {
  const rest: Sums = { ...whole, total: whole.total.slice(), firstToken: whole.firstToken.slice() };
  combine(rest, part, -1);
  return rest;
}

function combine(sums: Sums, other: Sums, sign: 1 | -1): void {
  for (const name of ADDITIVE) sums[name] += sign * other[name];
  for (const name of ["total", "firstToken"] as const) {
    const [histogram, added] = [sums[name], other[name]];
    for (let bucket = 0; bucket < added.length; bucket += 1) {
      const count = added[bucket];
      if (count !== undefined) histogram[bucket] = (histogram[bucket] ?? 0) + sign * count;
    }
  }
}

/** Returns sums as they are shown. */
export function measure({ total, firstToken, completedTokens, completedMicros, ...sums }: Sums): Measures {
  const tokensPerSecond = completedMicros === 0 ? null : completedTokens / (completedMicros / MICROS_PER_SECOND);
  return { ...sums, tokensPerSecond, total: percentiles(total), firstToken: percentiles(firstToken) };
}

const MICROS_PER_SECOND = 1e6;

function percentiles(histogram: Histogram): Percentiles {
  const at = (share: number): number | null => percentileMs(histogram, share) ?? null;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
