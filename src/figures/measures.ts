import { SAVED_COLUMNS, SAVING_KINDS, type SavingKind } from "../hub/saving-kinds.ts";

/** A column of the rollups of calls, by its property there; with `of` only of the calls with that status. */
export interface Source {
  readonly property: string;
  readonly of?: "completed" | "failed";
}

/**
 * The sums of calls. A name says which calls count: those before the point, and all where there is none. Costs and
 * savings are nano-USD of the calls whose cost is known, times are microseconds.
 */
const COUNTED = {
  calls: { property: "calls" },
  "completed.calls": { property: "calls", of: "completed" },
  "failed.calls": { property: "calls", of: "failed" },
  "routed.calls": { property: "routedCalls" },
  "estimated.calls": { property: "estimatedCalls" },
  "priced.calls": { property: "pricedCalls" },
  /** Failed calls cost what was sent before they failed. */
  "failed.priced.calls": { property: "pricedCalls", of: "failed" },
  /** Neither read from a cache nor written into one. */
  inputTokens: { property: "inputTokens" },
  cacheReadTokens: { property: "cacheReadTokens" },
  cacheWriteTokens: { property: "cacheWriteTokens" },
  outputTokens: { property: "outputTokens" },
  reasoningTokens: { property: "reasoningTokens" },
  "completed.outputTokens": { property: "outputTokens", of: "completed" },
  cost: { property: "costNanos" },
  /** The cost of plain calls of the base models. */
  baseCost: { property: "baseCostNanos" },
  /** By the providers' prompt caches; negative where writing cost more than reading saved. */
  cacheSaved: { property: "cacheSavedNanos" },
  "completed.latency.sum": { property: "latencyMicros", of: "completed" },
} as const satisfies Record<string, Source>;

type SavedName = `saved.${SavingKind}`;

/** Savings by kind. */
const SAVED = Object.fromEntries(
  SAVING_KINDS.map((kind) => [`saved.${kind}`, { property: SAVED_COLUMNS[kind] }]),
) as Readonly<Record<SavedName, Source>>;

/** All sums that a measure is made of. */
export const SUMS: Readonly<Record<SumName, Source>> = { ...COUNTED, ...SAVED };
export type SumName = keyof typeof COUNTED | SavedName;

/** The histograms that percentiles are read from: how long a failure took says nothing of how long an answer takes. */
export const HISTOGRAMS = {
  "completed.latency": { property: "latencies", of: "completed" },
  /** Of those that had a first token. */
  "completed.firstToken": { property: "firstTokens", of: "completed" },
} as const satisfies Record<string, Source>;
export type HistogramName = keyof typeof HISTOGRAMS;

/** A measure made of sums, or a percentile in milliseconds; both are null where nothing was measured. */
type Derived =
  | { readonly sums: readonly SumName[]; readonly derive: (...sums: number[]) => number | null }
  | { readonly histogram: HistogramName; readonly share: number };

const MICROS_PER_SECOND = 1e6;

const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const p50 = (histogram: HistogramName) => ({ histogram, share: 0.5 });
const p95 = (histogram: HistogramName) => ({ histogram, share: 0.95 });
const p99 = (histogram: HistogramName) => ({ histogram, share: 0.99 });

/** Measures that are no sums. */
export const DERIVED = {
  /** All tokens: sent, read from a cache, written into one, and answered. */
  tokens: {
    sums: ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"],
    derive: (...tokens: number[]) => tokens.reduce((sum, count) => sum + count, 0),
  },
  /** Null where the cost of no call is known: it is unknown then, and not nothing. */
  "priced.cost": { sums: ["cost", "priced.calls"], derive: (cost, priced) => (priced === 0 ? null : cost) },
  "priced.baseCost": { sums: ["baseCost", "priced.calls"], derive: (cost, priced) => (priced === 0 ? null : cost) },
  "priced.cost.mean": { sums: ["cost", "priced.calls"], derive: ratio },
  /** Output tokens by the time from the request to the end of the answer. */
  "completed.tokensPerSecond": {
    sums: ["completed.outputTokens", "completed.latency.sum"],
    derive: (tokens, micros) => ratio(tokens, micros / MICROS_PER_SECOND),
  },
  "completed.latency.p50": p50("completed.latency"),
  "completed.latency.p95": p95("completed.latency"),
  "completed.latency.p99": p99("completed.latency"),
  "completed.firstToken.p50": p50("completed.firstToken"),
  "completed.firstToken.p95": p95("completed.firstToken"),
  "completed.firstToken.p99": p99("completed.firstToken"),
} as const satisfies Record<string, Derived>;
type DerivedName = keyof typeof DERIVED;

/** The name of a figure of calls, which says which calls it is of. */
export type Measure = SumName | DerivedName;

/** The values of measures. */
export type Values<Name extends Measure> = { readonly [Each in Name]: Each extends SumName ? number : number | null };

/** Returns whether a measure is a sum. */
export function isSum(name: Measure): name is SumName {
  return name in SUMS;
}

/** Returns the sums and the histograms that measures are made of, each once. */
export function findParts(names: readonly Measure[]) {
  const sums = new Set<SumName>();
  const histograms = new Set<HistogramName>();
  for (const name of names) {
    if (isSum(name)) {
      sums.add(name);
      continue;
    }
    const derived: Derived = DERIVED[name];
    if ("histogram" in derived) histograms.add(derived.histogram);
    else for (const sum of derived.sums) sums.add(sum);
  }
  return { sums: [...sums], histograms: [...histograms] };
}
