import type { Measure } from "../../figures/measures.ts";
import { Tally } from "../../figures/tally.ts";
import type { UsageFigures } from "../../hub/usage.ts";

/** The measure of each figure. */
const MEASURE_OF = {
  calls: "calls",
  failedCalls: "failed.calls",
  inputTokens: "inputTokens",
  cacheReadTokens: "cacheReadTokens",
  cacheWriteTokens: "cacheWriteTokens",
  outputTokens: "outputTokens",
  reasoningTokens: "reasoningTokens",
  estimatedCalls: "estimated.calls",
  pricedCalls: "priced.calls",
  costNanos: "cost",
  latencyP50Ms: "completed.latency.p50",
  latencyP95Ms: "completed.latency.p95",
} as const satisfies Record<Exclude<keyof UsageFigures, "feedback">, Measure>;

/** The measures of all figures. */
export const MEASURES = Object.values(MEASURE_OF);

const { latencyP50Ms: _, latencyP95Ms: __, ...spent } = MEASURE_OF;
/** The measures of figures but for latencies, which take longest. */
export const SPENT = Object.values(spent);

/** A measure of a figure. */
export type FigureMeasure = (typeof MEASURE_OF)[keyof typeof MEASURE_OF];

/** Returns the figures of calls; what was not read is undefined. */
export function toFigures(tally: Tally<FigureMeasure>): UsageFigures {
  const values = tally.values();
  const entries = Object.entries(MEASURE_OF).map(([figure, measure]) => [figure, values[measure] ?? undefined]);
  return Object.fromEntries(entries) as unknown as UsageFigures;
}

/** The figures of no calls. */
export const NO_FIGURES: UsageFigures = toFigures(new Tally(MEASURES));
