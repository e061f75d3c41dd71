import "../../figures/series.css";
import { Stack } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keepPrevious } from "../../api/keep-previous.ts";
import { trpc } from "../../api/trpc.ts";
import { useRange } from "../../figures/range.ts";
import { RangePicker } from "../../figures/range-picker.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";
import { entriesOptions } from "./entries-options.ts";
import { EntriesPart } from "./entries-part.tsx";
import { MetricPart } from "./metric-part.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { SendFirst } from "./send-first.tsx";
import { VolumeChart } from "./volume-chart.tsx";

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
      lead="Feedback of your programs and their users on answers. Attune learns from it."
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
