import "../../../web/figures/series.css";
import { Stack } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { type NamedValues, toLines, toRows } from "../../../web/figures/chart-lines.ts";
import { useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { perStep } from "../../../web/figures/step-label.ts";
import { ChartWithTable } from "../../../web/parts/chart-with-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../web/parts/format.ts";
import { shortName } from "../../../web/parts/name-text.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { entriesOptions } from "./entries-options.ts";
import { EntriesPart } from "./entries-part.tsx";
import { FirstFeedback } from "./first-feedback.tsx";
import { MetricPart } from "./metric-part.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import type { FeedbackSummary } from "./types.ts";

const REFRESH_MS = 30_000;

/** The feedback page: volume, metrics, and notes. */
export function FeedbackPage() {
  const [range, setRange] = useRange("30d");
  const [chosen, setChosen] = useState<string>();
  const { id: projectId } = useProject();
  const summary = useQuery(
    trpc.feedback.summary.queryOptions(
      { projectId, ...range },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: REFRESH_MS },
    ),
  );
  const anything = useInfiniteQuery(entriesOptions(projectId));
  const metrics = summary.data?.metrics;
  const metric = metrics?.find((one) => metricKey(one) === chosen) ?? metrics?.find(({ kind }) => kind !== "note");
  const hasNone = anything.data?.pages[0]?.entries.length === 0 && metrics?.length === 0;
  return (
    <Page
      title="Feedback"
      lead="Ratings and comments from your programs and users. Attune learns from them."
      actions={hasNone ? undefined : <RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={summary.error ?? anything.error} onRetry={() => void retry()} />
      {hasNone ? (
        <FirstFeedback />
      ) : (
        <Stack gap="lg">
          <VolumeChart summary={summary.data} />
          <MetricsTable
            metrics={metrics}
            chosen={metric && metricKey(metric)}
            onChoose={(one) => setChosen(metricKey(one))}
          />
          {metric !== undefined && summary.data !== undefined && (
            <MetricPart key={metricKey(metric)} metric={metric} range={range} summary={summary.data} />
          )}
          <EntriesPart metrics={metrics ?? []} />
        </Stack>
      )}
    </Page>
  );

  async function retry(): Promise<void> {
    await Promise.all([summary.refetch(), anything.refetch()]);
  }
}

function metricKey({ name, kind }: { readonly name: string; readonly kind: string }): string {
  return JSON.stringify([name, kind]);
}

/** The chart of feedback over time. */
function VolumeChart({ summary }: { readonly summary: FeedbackSummary | undefined }) {
  const lines = summary === undefined ? [] : toLines(sumByName(summary));
  return (
    <ChartWithTable
      title="Volume"
      unit={summary === undefined ? "entries" : `entries ${perStep(summary.stepMs)}`}
      kind="bar"
      series={lines}
      rows={summary && toRows(lines, summary)}
      format={(value) => formatNumber(value)}
      emptyText="Choose a longer period."
    />
  );
}

/** Returns the entries of each name by step, in the order of the metrics. */
function sumByName({ metrics, series, buckets }: FeedbackSummary): NamedValues[] {
  const place = ({ name, kind }: { readonly name: string; readonly kind: string }) =>
    metrics.findIndex((metric) => metric.name === name && metric.kind === kind);
  const byName = Map.groupBy(
    series.toSorted((a, b) => place(a) - place(b)),
    ({ name }) => name,
  );
  return [...byName].map(([name, kinds]) => ({
    label: kinds.every(({ kind }) => kind === "note") ? `${shortName(name)} (notes)` : shortName(name),
    values: buckets.map((_, at) => kinds.reduce((sum, { entries }) => sum + (entries[at] ?? 0), 0)),
  }));
}
