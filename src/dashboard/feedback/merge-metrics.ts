import { stepStart } from "../../store/dashboard/figures/steps.ts";
import type { Metric } from "../../store/read/queries/metrics.ts";
import type { Bucket } from "../figures/window.ts";

/** A metric over time, a value for each step. */
interface MetricSeries {
  readonly name: string;
  readonly kind: string;
  readonly entries: readonly number[];
  /** Mean of the floats or share of the booleans that are true; null where there are none. */
  readonly means: readonly (number | null)[];
}

/** Puts metrics by the hour or day into the steps of a chart. */
export function mergeMetrics(metrics: readonly Metric[], buckets: readonly Bucket[], stepMs: number): MetricSeries[] {
  const places = new Map(buckets.map(({ startMs }, place) => [startMs, place]));
  const series = new Map<string, { name: string; kind: string; entries: number[]; sums: number[] }>();
  for (const { start, name, kind, entries, estimate } of metrics) {
    const place = places.get(stepStart(start?.getTime() ?? 0, stepMs));
    if (place === undefined) continue;
    const key = JSON.stringify([name, kind]);
    const own = series.get(key) ?? { name, kind, entries: buckets.map(() => 0), sums: buckets.map(() => 0) };
    own.entries[place] = (own.entries[place] ?? 0) + entries;
    own.sums[place] = (own.sums[place] ?? 0) + (estimate?.mean ?? 0) * entries;
    series.set(key, own);
  }
  return [...series.values()].map(({ name, kind, entries, sums }) => ({
    name,
    kind,
    entries,
    means: entries.map((count, at) => (count === 0 || kind === "note" ? null : (sums[at] ?? 0) / count)),
  }));
}
