import type { ChartRow, Series } from "../parts/chart.tsx";
import { OTHERS_COLOR, seriesColor } from "./series-colors.ts";
import { type Bucket, type Steps, stepLabels } from "./step-label.ts";

/** Names that people can still tell apart by color. */
const MAX_LINES = 7;

/** The values of something by its name, one for each step. */
export interface NamedValues {
  readonly label: string;
  readonly values: readonly number[];
}

/** A series with its values, one for each step. */
interface Line extends Series {
  readonly values: readonly (number | null)[];
}

/** Returns the lines of a chart, each in its color; those beyond what people can tell apart are one. */
export function toLines(named: readonly NamedValues[]): readonly Line[] {
  const lines = named.slice(0, MAX_LINES).map((one, at) => ({ ...one, name: `s${at}`, color: seriesColor(at) }));
  const others = named.slice(MAX_LINES);
  const [first] = others;
  if (first === undefined) return lines;
  const values = first.values.map((_, at) => others.reduce((sum, one) => sum + (one.values[at] ?? 0), 0));
  return [...lines, { name: `s${MAX_LINES}`, label: `${others.length} others`, color: OTHERS_COLOR, values }];
}

/** Returns the rows of a chart, one for each step; none where it has no line. */
export function toRows(
  lines: readonly Pick<Line, "name" | "values">[],
  steps: Steps & { readonly buckets: readonly Bucket[] },
): ChartRow[] {
  if (lines.length === 0) return [];
  return stepLabels(steps.buckets, steps).map((label, at) => ({
    at: label,
    ...Object.fromEntries(lines.map(({ name, values }) => [name, values[at] ?? null])),
  }));
}
