import { SAVING_KINDS, type Savings } from "../../../hub/saving-kinds.ts";
import type { Figures } from "../../../store/dashboard/figures/read-figures.ts";

/** The values of charts, one for each step. */
const COLUMNS = {
  calls: (figures) => figures.calls,
  failedCalls: (figures) => figures["failed.calls"],
  /** All that was sent: what came from a cache and what was written into one, too. */
  inputTokens: ({ inputTokens, cacheReadTokens, cacheWriteTokens }) => inputTokens + cacheReadTokens + cacheWriteTokens,
  /** Input tokens that came from no cache. */
  freshTokens: ({ inputTokens, cacheWriteTokens }) => inputTokens + cacheWriteTokens,
  cachedTokens: (figures) => figures.cacheReadTokens,
  outputTokens: (figures) => figures.outputTokens,
  costNanos: (figures) => figures.cost,
  /** Below zero where what was done cost more than plain calls. */
  savedNanos: ({ baseCost, cost }) => baseCost - cost,
  /** The discount of the providers' own prompt caches; it is not our merit, and so no part of the savings. */
  cacheSavedNanos: (figures) => figures.cacheSaved,
  firstTokenP50Ms: (figures) => tenths(figures["completed.firstToken.p50"]),
  firstTokenP95Ms: (figures) => tenths(figures["completed.firstToken.p95"]),
  totalP50Ms: (figures) => tenths(figures["completed.latency.p50"]),
  totalP95Ms: (figures) => tenths(figures["completed.latency.p95"]),
  firstTokenP99Ms: (figures) => tenths(figures["completed.firstToken.p99"]),
  totalP99Ms: (figures) => tenths(figures["completed.latency.p99"]),
  tokensPerSecond: (figures) => tenths(figures["completed.tokensPerSecond"]),
} as const satisfies Record<string, (figures: Figures) => number | null>;

/** Name of what a chart shows. */
type ColumnName = keyof typeof COLUMNS;

/** All that is shown of some calls. */
type Shown = Readonly<Record<ColumnName, number | null>>;

/** Values of each column, one for each step. */
export type ColumnValues = Readonly<Record<ColumnName, readonly (number | null)[]>>;

const NAMES = Object.keys(COLUMNS) as ColumnName[];

/** Columns that have no sum: null where nothing was measured. */
const TIMES: ReadonlySet<ColumnName> = new Set<ColumnName>([
  ...(["firstTokenP50Ms", "firstTokenP95Ms", "firstTokenP99Ms"] as const),
  ...(["totalP50Ms", "totalP95Ms", "totalP99Ms", "tokensPerSecond"] as const),
]);

/** Returns all that is shown of some calls. */
export function show(figures: Figures): Shown {
  return byName((name) => COLUMNS[name](figures));
}

/** Puts what is shown of steps into columns; a step without calls has nothing, and no times. */
export function toColumns(steps: readonly (Figures | undefined)[]): ColumnValues {
  return byName((name) =>
    steps.map((figures) => (figures === undefined ? (TIMES.has(name) ? null : 0) : COLUMNS[name](figures))),
  );
}

/** Adds columns up; times of different calls cannot be added, so there are none. */
export function addColumns(all: readonly ColumnValues[], steps: number): ColumnValues {
  const sum = (name: ColumnName, at: number) => all.reduce((total, columns) => total + (columns[name][at] ?? 0), 0);
  return byName((name) => Array.from({ length: steps }, (_, at) => (TIMES.has(name) ? null : sum(name, at))));
}

function byName<Value>(pick: (name: ColumnName) => Value): Record<ColumnName, Value> {
  return Object.fromEntries(NAMES.map((name) => [name, pick(name)])) as Record<ColumnName, Value>;
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

/** Returns what was saved by kind; a kind that did nothing is not there. */
export function savedByKind(figures: Figures): Savings {
  const all = SAVING_KINDS.map((kind) => [kind, figures[`saved.${kind}`]] as const);
  return Object.fromEntries(all.filter(([, nanos]) => nanos !== 0));
}
