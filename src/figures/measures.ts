import { SAVED_COLUMNS, SAVING_KINDS, type SavingKind } from "../hub/saving-kinds.ts";
import type { MeasureRow, Source } from "./measure-row.ts";

/** The histograms that percentiles are read from: how long a failure took says nothing of how long an answer takes. */
export const HISTOGRAMS = {
  "completed.latency": { property: "latencies", of: "completed" },
  /** Of those that had a first token. */
  "completed.firstToken": { property: "firstTokens", of: "completed" },
} as const satisfies Record<string, Source>;
export type HistogramName = keyof typeof HISTOGRAMS;

const MICROS_PER_SECOND = 1e6;
const NONE_COMPLETED = "No completed calls in this period.";

const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const add = (...parts: number[]) => parts.reduce((sum, part) => sum + part, 0);
const ifPriced = (cost: number, priced: number) => (priced === 0 ? null : cost);
const latency = <Share extends number>(share: Share) => ({ histogram: "completed.latency", share }) as const;
const firstToken = <Share extends number>(share: Share) => ({ histogram: "completed.firstToken", share }) as const;

/** Returns the chart of a time. */
function time(title: string, name: string = title) {
  return { title, name, unit: "of completed calls", format: "duration", empty: NONE_COMPLETED } as const;
}

/**
 * All figures of calls, in the order of charts and of CSV. A name says which calls count: those before the point, and all where
 * there is none. Costs and savings are nano-USD of the calls whose cost is known; sums of times are microseconds.
 */
const ROWS = {
  calls: {
    property: "calls",
    perCall: "1",
    report: { field: "calls", number: 1, text: "Calls that have ended", example: 6 },
    page: { column: "calls", chart: { title: "Calls", unit: "calls", format: "short" } },
  },
  "completed.calls": { property: "calls", of: "completed", perCall: "1" },
  "failed.calls": {
    property: "calls",
    of: "failed",
    perCall: "1",
    report: { field: "failed_calls", number: 2, text: "Calls that failed", example: 0 },
    page: {
      column: "failedCalls",
      chart: { title: "Errors", unit: "failed calls", format: "number", empty: "No failed calls." },
    },
  },
  "routed.calls": { property: "routedCalls" },
  inputTokens: {
    property: "inputTokens",
    report: { field: "input_tokens", number: 3, text: "Input tokens, without cache reads and writes", example: 38 },
  },
  /** All that was sent: what came from a cache and what was written into one, too. */
  sentTokens: {
    sums: ["inputTokens", "cacheReadTokens", "cacheWriteTokens"],
    derive: add,
    page: {
      column: "inputTokens",
      part: { of: "Tokens" },
      chart: { title: "Input tokens", unit: "tokens", format: "short" },
    },
  },
  /** Input tokens that came from no cache. */
  freshTokens: {
    sums: ["inputTokens", "cacheWriteTokens"],
    derive: add,
    page: { column: "freshTokens", part: { of: "Tokens", label: "Input, not cached" } },
  },
  cacheReadTokens: {
    property: "cacheReadTokens",
    report: { field: "cache_read_tokens", number: 4, text: "Input tokens read from a provider's cache", example: 0 },
    page: {
      column: "cachedTokens",
      part: { of: "Tokens", label: "Input from a cache" },
      chart: {
        title: "Cached tokens",
        unit: "input tokens from a cache",
        format: "short",
        empty: "No input came from a cache.",
      },
    },
  },
  cacheWriteTokens: {
    property: "cacheWriteTokens",
    report: { field: "cache_write_tokens", number: 5, text: "Input tokens written to a provider's cache", example: 0 },
  },
  outputTokens: {
    property: "outputTokens",
    report: { field: "output_tokens", number: 6, text: "Output tokens, reasoning included", example: 70 },
    page: {
      column: "outputTokens",
      part: { of: "Tokens", label: "Output" },
      chart: { title: "Output tokens", unit: "tokens", format: "short" },
    },
  },
  "completed.outputTokens": { property: "outputTokens", of: "completed" },
  /** All tokens: sent, read from a cache, written into one, and answered. */
  tokens: { sums: ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"], derive: add },
  reasoningTokens: {
    property: "reasoningTokens",
    report: { field: "reasoning_tokens", number: 7, text: "Output tokens of reasoning", example: 0 },
  },
  "estimated.calls": {
    property: "estimatedCalls",
    perCall: "case when usage_estimated then 1 end",
    report: {
      field: "estimated_calls",
      number: 12,
      text: "Calls with estimated tokens, because the upstream didn't report them",
      example: 0,
    },
  },
  "priced.calls": {
    property: "pricedCalls",
    perCall: "case when cost_nanos is not null then 1 end",
    report: { field: "priced_calls", number: 8, text: "Calls with a known cost", example: 6 },
  },
  /** Failed calls cost what was sent before they failed. */
  "failed.priced.calls": { property: "pricedCalls", of: "failed" },
  cost: {
    property: "costNanos",
    report: { field: "cost_nano_usd", number: 9, text: "Cost of the calls with a known cost", example: 0.0000388 },
    page: {
      column: "costNanos",
      chart: { title: "Cost", unit: "US dollars", format: "cost", empty: "No call has a known cost." },
    },
  },
  /** Null where the cost of no call is known: it is unknown then, and not nothing. */
  "priced.cost": { sums: ["cost", "priced.calls"], derive: ifPriced },
  "priced.cost.mean": { sums: ["cost", "priced.calls"], derive: ratio },
  /** The cost of plain calls of the base models. */
  baseCost: { property: "baseCostNanos" },
  "priced.baseCost": { sums: ["baseCost", "priced.calls"], derive: ifPriced },
  /** Below zero where what was done cost more than plain calls. */
  saved: {
    sums: ["baseCost", "cost"],
    derive: (base, cost) => base - cost,
    page: {
      column: "savedNanos",
      chart: {
        title: "Saved against the base models alone",
        unit: "US dollars",
        format: "cost",
        empty: "Nothing saved in this period.",
      },
    },
  },
  /**
   * By the providers' prompt caches; negative where writing cost more than reading saved. It is not our merit, and so
   * no part of the savings.
   */
  cacheSaved: { property: "cacheSavedNanos", page: { column: "cacheSavedNanos" } },
  "completed.latency.sum": { property: "latencyMicros", of: "completed" },
  "completed.firstToken.p50": {
    ...firstToken(0.5),
    page: {
      column: "firstTokenP50Ms",
      part: { of: "Latency", label: "First token, p50" },
      chart: time("Time to first token, p50"),
    },
  },
  "completed.firstToken.p95": {
    ...firstToken(0.95),
    page: {
      column: "firstTokenP95Ms",
      part: { of: "Latency", label: "First token, p95" },
      chart: time("Time to first token, p95"),
    },
  },
  "completed.firstToken.p99": {
    ...firstToken(0.99),
    page: {
      column: "firstTokenP99Ms",
      part: { of: "Latency", label: "First token, p99" },
      chart: time("Time to first token, p99"),
    },
  },
  "completed.latency.p50": {
    ...latency(0.5),
    report: {
      field: "latency_p50_ms",
      number: 10,
      text: "Median latency of completed calls in milliseconds, to 5 percent",
      example: 8.35,
    },
    page: {
      column: "totalP50Ms",
      part: { of: "Latency", label: "Total, p50" },
      chart: time("Total latency, p50"),
    },
  },
  "completed.latency.p95": {
    ...latency(0.95),
    report: { field: "latency_p95_ms", number: 11, text: "95th percentile of this latency", example: 583 },
    page: {
      column: "totalP95Ms",
      part: { of: "Latency", label: "Total, p95" },
      chart: time("Total latency, p95", "Latency"),
    },
  },
  "completed.latency.p99": {
    ...latency(0.99),
    page: {
      column: "totalP99Ms",
      part: { of: "Latency", label: "Total, p99" },
      chart: time("Total latency, p99"),
    },
  },
  /** Output tokens by the time from the request to the end of the answer. */
  "completed.tokensPerSecond": {
    sums: ["completed.outputTokens", "completed.latency.sum"],
    derive: (tokens, micros) => ratio(tokens, micros / MICROS_PER_SECOND),
    page: {
      column: "tokensPerSecond",
      chart: {
        title: "Tokens a second",
        unit: "output tokens of completed calls",
        format: "number",
        empty: NONE_COMPLETED,
      },
    },
  },
} as const satisfies Readonly<Record<string, MeasureRow>>;

type Rows = typeof ROWS;
type SavedName = `saved.${SavingKind}`;

/** Names of the rows that have a member. */
type With<Member extends string> = {
  [Name in keyof Rows]: Rows[Name] extends Readonly<Record<Member, unknown>> ? Name : never;
}[keyof Rows];

/** Names of sums. */
export type SumName = With<"property"> | SavedName;
/** Names of the figures in reports of usage. */
export type ReportedName = With<"report">;
/** Names of the figures on Overview. */
export type ShownName = With<"page">;
/** The name of a figure of calls, which says which calls it is of. */
export type Measure = keyof Rows | SavedName;

/** Savings by kind. */
const SAVED = Object.fromEntries(
  SAVING_KINDS.map((kind) => [`saved.${kind}`, { property: SAVED_COLUMNS[kind] }]),
) as Readonly<Record<SavedName, Source>>;

/** All figures by their names. */
export const MEASURES: Rows & Readonly<Record<SavedName, Source>> = { ...ROWS, ...SAVED };

/** The values of measures. */
export type Values<Name extends Measure> = { readonly [Each in Name]: Each extends SumName ? number : number | null };

const NAMES = Object.keys(MEASURES) as readonly Measure[];

/** The columns of all sums. */
export const SUMS = Object.fromEntries(NAMES.filter(isSum).map((name) => [name, MEASURES[name]])) as Readonly<
  Record<SumName, Source>
>;

/** The figures of reports and those of Overview, in the order of the table. */
export const REPORTED = NAMES.filter((name): name is ReportedName => "report" in MEASURES[name]);
export const SHOWN = NAMES.filter((name): name is ShownName => "page" in MEASURES[name]);

/** Returns whether a measure is a sum. */
export function isSum(name: Measure): name is SumName {
  return "property" in MEASURES[name];
}

/** Returns whether values of different calls may be added up. */
export function isAdditive(name: Measure): boolean {
  const row: MeasureRow = MEASURES[name];
  return "property" in row || ("sums" in row && row.derive(...row.sums.map(() => 0)) !== null);
}

/** Returns the sums and the histograms that measures are made of, each once. */
export function findParts(names: readonly Measure[]) {
  const sums = new Set<SumName>();
  const histograms = new Set<HistogramName>();
  for (const name of names) {
    const row = MEASURES[name];
    if (isSum(name)) sums.add(name);
    else if ("histogram" in row) histograms.add(row.histogram);
    else if ("sums" in row) for (const sum of row.sums) sums.add(sum);
  }
  return { sums: [...sums], histograms: [...histograms] };
}
