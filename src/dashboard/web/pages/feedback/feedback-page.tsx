import "../../figures/series.css";
import { Box, Stack, Text } from "@mantine/core";
import { IconThumbUp } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keepPrevious } from "../../api/keep-previous.ts";
import { trpc } from "../../api/trpc.ts";
import { useRange } from "../../figures/range.ts";
import { RangePicker } from "../../figures/range-picker.tsx";
import { OTHERS_COLOR, seriesColor } from "../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../figures/step-label.ts";
import type { ChartRow } from "../../parts/chart.tsx";
import { ChartWithTable } from "../../parts/chart-with-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatNumber } from "../../parts/format.ts";
import { shortName } from "../../parts/name-text.ts";
import { Snippets } from "../../parts/snippets.tsx";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";
import { useOrigin } from "../../shell/use-origin.ts";
import { entriesOptions } from "./entries-options.ts";
import { EntriesPart } from "./entries-part.tsx";
import { MetricPart } from "./metric-part.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { feedbackSnippets } from "./snippets.ts";
import type { FeedbackSummary } from "./types.ts";

/** Metrics that people can still tell apart by colour. */
const MAX_SERIES = 7;

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
        <SendFirst />
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

/** The page before the first feedback: how to send some. */
function SendFirst() {
  const { id: projectId } = useProject();
  const example = useQuery(trpc.feedback.example.queryOptions({ projectId }));
  const inferenceId = example.data?.inferenceId ?? undefined;
  const snippets = feedbackSnippets({ origin: useOrigin(), inferenceId });
  return (
    <Box className="attune-card" p="md">
      <EmptyState
        Icon={IconThumbUp}
        title="No feedback yet"
        text={
          inferenceId === undefined
            ? "Every answer has an id. Send a call first, then send feedback with the id of its answer."
            : "Every answer has an id. This example contains the id of your latest call."
        }
      />
      <Stack gap="xs" maw={760} mx="auto">
        <Snippets snippets={snippets} />
        <Text fz="sm" c="dimmed">
          Booleans are shown as shares, numbers as means and texts as notes. ATTUNE_KEY is an API key of this project.
        </Text>
      </Stack>
    </Box>
  );
}

interface Line {
  readonly label: string;
  readonly color: string;
  readonly values: readonly number[];
}

/** The chart of feedback over time. */
function VolumeChart({ summary }: { readonly summary: FeedbackSummary | undefined }) {
  const lines = summary === undefined ? [] : listLines(summary);
  return (
    <ChartWithTable
      title="Volume"
      unit={summary === undefined ? "entries" : `entries ${perStep(summary.stepMs)}`}
      kind="bar"
      series={lines.map(({ label, color }, at) => ({ name: `s${at}`, label, color }))}
      rows={summary && listRows(summary, lines)}
      format={(value) => formatNumber(value)}
      emptyText="Choose a longer period."
    />
  );
}

function listLines({ metrics, series, buckets }: FeedbackSummary): Line[] {
  const place = ({ name, kind }: { readonly name: string; readonly kind: string }) =>
    metrics.findIndex((metric) => metric.name === name && metric.kind === kind);
  const byName = Map.groupBy(
    series.toSorted((a, b) => place(a) - place(b)),
    ({ name }) => name,
  );
  const sorted = [...byName].map(([name, kinds]) => ({
    label: kinds.every(({ kind }) => kind === "note") ? `${shortName(name)} (notes)` : shortName(name),
    entries: buckets.map((_, at) => kinds.reduce((sum, { entries }) => sum + (entries[at] ?? 0), 0)),
  }));
  const lines = sorted.slice(0, MAX_SERIES).map(({ label, entries }, at) => ({
    label,
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
