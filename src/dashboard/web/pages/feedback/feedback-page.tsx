import "../../figures/series.css";
import { Stack } from "@mantine/core";
import { useState } from "react";
import { useRange } from "../../figures/range.ts";
import { RangePicker } from "../../figures/range-picker.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Page } from "../../shell/page.tsx";
import { EntriesPart } from "./entries-part.tsx";
import { MetricPart } from "./metric-part.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { SendFirst } from "./send-first.tsx";
import { useEntries, useSummary } from "./use-feedback.ts";
import { VolumeChart } from "./volume-chart.tsx";

/** The feedback page: volume, metrics, and notes. */
export function FeedbackPage() {
  const [range, setRange] = useRange("30d");
  const [chosen, setChosen] = useState<string>();
  const summary = useSummary(range);
  const anything = useEntries(undefined);
  const metrics = summary.data?.metrics;
  const metric = metrics?.find((one) => keyOf(one) === chosen) ?? metrics?.find(({ kind }) => kind !== "note");
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
          <MetricsTable metrics={metrics} chosen={metric && keyOf(metric)} onChoose={(one) => setChosen(keyOf(one))} />
          {metric !== undefined && summary.data !== undefined && (
            <MetricPart key={keyOf(metric)} metric={metric} range={range} summary={summary.data} />
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

function keyOf({ name, kind }: { readonly name: string; readonly kind: string }): string {
  return JSON.stringify([name, kind]);
}
