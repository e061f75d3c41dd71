import { OTHERS_COLOR, seriesColor } from "../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../figures/step-label.ts";
import type { ChartRow } from "../../parts/chart.tsx";
import { ChartWithTable } from "../../parts/chart-with-table.tsx";
import { formatNumber } from "../../parts/format.ts";
import { shortName } from "../../parts/name-text.ts";
import type { FeedbackSummary } from "./types.ts";

/** Metrics that people can still tell apart by colour. */
const MAX_SERIES = 7;

interface Line {
  readonly label: string;
  readonly color: string;
  readonly values: readonly number[];
}

/** The chart of feedback over time. */
export function VolumeChart({ summary }: { readonly summary: FeedbackSummary | undefined }) {
  const lines = summary === undefined ? [] : listLines(summary);
  return (
    <ChartWithTable
      title="Volume"
      unit={summary === undefined ? "entries" : `entries ${perStep(summary.stepMs)}`}
      kind="bar"
      series={lines.map(({ label, color }, at) => ({ name: `s${at}`, label, color }))}
      rows={summary && listRows(summary, lines)}
      format={(value) => formatNumber(value)}
      emptyText="No feedback came in this time. A longer one may have some."
    />
  );
}

function listLines({ metrics, series, buckets }: FeedbackSummary): Line[] {
  const place = ({ name, kind }: { readonly name: string; readonly kind: string }) =>
    metrics.findIndex((metric) => metric.name === name && metric.kind === kind);
  const sorted = [...series].sort((a, b) => place(a) - place(b));
  const lines = sorted.slice(0, MAX_SERIES).map(({ name, kind, entries }, at) => ({
    label: kind === "note" ? `${shortName(name)} (notes)` : shortName(name),
    color: seriesColor(at),
    values: entries,
  }));
  const others = sorted.slice(MAX_SERIES);
  if (others.length === 0) return lines;
  const values = buckets.map((_, at) => others.reduce((sum, { entries }) => sum + (entries[at] ?? 0), 0));
  return [...lines, { label: `${others.length} others`, color: OTHERS_COLOR, values }];
}

function listRows(summary: FeedbackSummary, lines: readonly Line[]): ChartRow[] {
  if (lines.length === 0) return [];
  const labels = stepLabels(summary.buckets, summary);
  return summary.buckets.map((_, at) => ({
    at: labels[at] ?? "",
    ...Object.fromEntries(lines.map(({ values }, line) => [`s${line}`, values[at] ?? 0])),
  }));
}
