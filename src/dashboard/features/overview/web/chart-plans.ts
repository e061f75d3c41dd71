import { formatDuration, formatNumber, formatShort, formatShortCost } from "../../../web/parts/format.ts";
import type { ColumnName } from "./figures.ts";
import type { GroupName } from "./groups.ts";

/** The charts that are shown where nobody chose others; there are as many at a time, since more are slow to draw. */
export const FIRST_CHARTS: readonly string[] = ["Calls", "Cost", "Errors", "Latency"];

/** A chart that shows one column, a series for each group. */
export interface ChartPlan {
  readonly title: string;
  /** The name under which it is chosen, the same in all groupings; the title where it is not given. */
  readonly name?: string;
  /** The unit of its values; the length of a step follows. */
  readonly unit: string;
  readonly kind: "line" | "bar";
  readonly format: (value: number | null) => string;
  /** One for each series of all calls together, or the one that is shown group by group. */
  readonly columns: readonly { readonly column: ColumnName; readonly label: string }[];
  readonly isGrouped: boolean;
  /** The text shown when all values are zero. */
  readonly emptyText: string;
}

const NO_CALLS = "Choose a longer period, or send a call.";

const sum = (title: string, unit: string, column: ColumnName, emptyText = NO_CALLS): ChartPlan => ({
  title,
  unit,
  kind: "bar",
  isGrouped: true,
  columns: [{ column, label: title }],
  emptyText,
  format: column.endsWith("Nanos") ? formatShortCost : column === "failedCalls" ? formatNumber : formatShort,
});

/** Its series are the reasons, whatever calls are grouped by: a call that is refused has no model. */
export const REFUSED: ChartPlan = {
  title: "Refused calls",
  unit: "calls by reason",
  kind: "bar",
  isGrouped: false,
  columns: [],
  format: formatNumber,
  emptyText: "No call was refused.",
};

const time = (title: string, column: ColumnName): ChartPlan => ({
  title,
  unit: "of completed calls",
  kind: "line",
  isGrouped: true,
  columns: [{ column, label: title }],
  emptyText: "No completed calls in this period.",
  format: formatDuration,
});

const COMMON = [
  sum("Calls", "calls", "calls"),
  sum("Cost", "US dollars", "costNanos", "No call has a known cost."),
  sum("Errors", "failed calls", "failedCalls", "No failed calls."),
];

const P95 = { ...time("Total latency, p95", "totalP95Ms"), name: "Latency" };

const speed: ChartPlan = {
  title: "Tokens a second",
  unit: "output tokens of completed calls",
  kind: "line",
  isGrouped: true,
  columns: [{ column: "tokensPerSecond", label: "Tokens a second" }],
  emptyText: "No completed calls in this period.",
  format: formatNumber,
};

const SAVED = sum("Saved against the base models alone", "US dollars", "savedNanos", "Nothing saved in this period.");

const GROUPED = [
  ...COMMON,
  P95,
  REFUSED,
  sum("Input tokens", "tokens", "inputTokens"),
  sum("Output tokens", "tokens", "outputTokens"),
  sum("Cached tokens", "input tokens from a cache", "cachedTokens", "No input came from a cache."),
  time("Time to first token, p50", "firstTokenP50Ms"),
  time("Time to first token, p95", "firstTokenP95Ms"),
  time("Time to first token, p99", "firstTokenP99Ms"),
  time("Total latency, p50", "totalP50Ms"),
  time("Total latency, p99", "totalP99Ms"),
  speed,
];

const OVERALL: readonly ChartPlan[] = [
  ...COMMON,
  {
    title: "Latency",
    unit: "of completed calls",
    kind: "line",
    isGrouped: false,
    format: formatDuration,
    emptyText: NO_CALLS,
    columns: [
      { column: "totalP99Ms", label: "Total, p99" },
      { column: "totalP95Ms", label: "Total, p95" },
      { column: "totalP50Ms", label: "Total, p50" },
      { column: "firstTokenP99Ms", label: "First token, p99" },
      { column: "firstTokenP95Ms", label: "First token, p95" },
      { column: "firstTokenP50Ms", label: "First token, p50" },
    ],
  },
  REFUSED,
  {
    title: "Tokens",
    unit: "tokens",
    kind: "bar",
    isGrouped: false,
    format: formatShort,
    emptyText: NO_CALLS,
    columns: [
      { column: "freshTokens", label: "Input, not cached" },
      { column: "cachedTokens", label: "Input from a cache" },
      { column: "outputTokens", label: "Output" },
    ],
  },
  speed,
];

/** Returns the charts of a grouping that there are to choose from, that of savings among these once there are some. */
export function chartPlans(group: GroupName, hasSavings: boolean): readonly ChartPlan[] {
  const plans = group === "none" ? OVERALL : GROUPED;
  return hasSavings ? plans.toSpliced(FIRST_CHARTS.length, 0, SAVED) : plans;
}

/** Returns the name under which a chart is chosen. */
export function chartName({ name, title }: ChartPlan): string {
  return name ?? title;
}
