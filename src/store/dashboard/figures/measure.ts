import { SAVED_COLUMNS, type SavedColumn } from "../../../hub/saving-kinds.ts";
import { addHistogram, type Histogram, percentileMs } from "../../types/histogram.ts";

/** The sums over calls. */
export interface Sums extends Record<SavedColumn, number> {
  calls: number;
  failedCalls: number;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Calls whose cost is known; the costs are of these. */
  pricedCalls: number;
  costNanos: number;
  baseCostNanos: number;
  cacheSavedNanos: number;
  /** Of the calls that completed. */
  completedTokens: number;
  completedMicros: number;
  /** Histograms of the calls that completed. */
  readonly total: Histogram;
  readonly firstToken: Histogram;
}

/** The counts of calls with the same outcome. */
export interface Counted extends Readonly<Record<SavedColumn, number>> {
  readonly status: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly pricedCalls: number;
  readonly costNanos: number;
  readonly baseCostNanos: number;
  readonly cacheSavedNanos: number;
  /** Their latencies together. */
  readonly latencyMicros: number;
  readonly latencies: string;
  readonly firstTokens: string;
}

/** Middle and slow ends of a time, in milliseconds; null where no call was measured. */
export interface Percentiles {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** The totals of calls, as pages show them. */
export interface Measures extends Readonly<Record<SavedColumn, number>> {
  readonly calls: number;
  readonly failedCalls: number;
  /** Input tokens, without those read from a cache or written into one. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly pricedCalls: number;
  readonly costNanos: number;
  /** The cost of plain calls of the base models. */
  readonly baseCostNanos: number;
  /** The discount of the providers' prompt caches; negative where writing cost more than reading saved. */
  readonly cacheSavedNanos: number;
  /** Output tokens by the time from the request to the end of the answer, of calls that completed; null without any. */
  readonly tokensPerSecond: number | null;
  /** To the end of the answer, of calls that completed. */
  readonly total: Percentiles;
  /** To the first token, of calls that completed and were streamed. */
  readonly firstToken: Percentiles;
}

/** Returns the sums of no calls. */
export function noSums(): Sums {
  return {
    ...{ calls: 0, failedCalls: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
    ...{ pricedCalls: 0, costNanos: 0, baseCostNanos: 0, cacheSavedNanos: 0, total: [], firstToken: [] },
    ...{ completedTokens: 0, completedMicros: 0 },
    ...{ savedCacheMarksNanos: 0, savedCoalescingNanos: 0, savedResponseCacheNanos: 0, savedChoiceNanos: 0 },
    ...{ savedRoutingNanos: 0, savedFailoverNanos: 0, savedHedgingNanos: 0, savedRetryNanos: 0 },
    ...{ savedCandidatesNanos: 0 },
  };
}

/** Adds calls to sums. */
export function addCounted(sums: Sums, counted: Counted): void {
  sums.calls += counted.calls;
  if (counted.status === "failed") sums.failedCalls += counted.calls;
  sums.inputTokens += counted.inputTokens;
  sums.cacheReadTokens += counted.cacheReadTokens;
  sums.cacheWriteTokens += counted.cacheWriteTokens;
  sums.outputTokens += counted.outputTokens;
  sums.pricedCalls += counted.pricedCalls;
  sums.costNanos += counted.costNanos;
  sums.baseCostNanos += counted.baseCostNanos;
  sums.cacheSavedNanos += counted.cacheSavedNanos;
  for (const column of SAVED) sums[column] += counted[column];
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

const SAVED = Object.values(SAVED_COLUMNS);

const ADDITIVE = [
  ...(["calls", "failedCalls", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const),
  ...(["pricedCalls", "costNanos", "baseCostNanos", "cacheSavedNanos"] as const),
  ...(["completedTokens", "completedMicros"] as const),
  ...SAVED,
];

function percentiles(histogram: Histogram): Percentiles {
  const at = (share: number): number | null => percentileMs(histogram, share) ?? null;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
