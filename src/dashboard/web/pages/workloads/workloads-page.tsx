import { shortName } from "../../parts/name-text.ts";
import "../../figures/series.css";
import { Stack } from "@mantine/core";
import { useRange } from "../../figures/range.ts";
import { RangePicker } from "../../figures/range-picker.tsx";
import { OTHERS_COLOR, seriesColor } from "../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../figures/step-label.ts";
import type { ChartRow } from "../../parts/chart.tsx";
import { ChartWithTable } from "../../parts/chart-with-table.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatNumber } from "../../parts/format.ts";
import { Page } from "../../shell/page.tsx";
import { LabelCalls } from "./label-calls.tsx";
import { useWorkloads, type Workload, type Workloads } from "./use-workloads.ts";
import { WorkloadsTable } from "./workloads-table.tsx";

/** Workloads that people can still tell apart by colour. */
const MAX_SERIES = 7;

/** What calls are labelled with: how much each is called, what it costs, and what is said of its answers. */
export function WorkloadsPage() {
  const [range, setRange] = useRange("30d");
  const found = useWorkloads(range);
  const workloads = found.data?.workloads;
  const hasLabels = workloads?.some(({ workload }) => workload !== "") ?? true;
  return (
    <Page
      title="Workloads"
      lead="A workload is what a call is for. Calls with the same name are looked at, compared and given feedback together."
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      <Stack gap="lg">
        {!hasLabels && <LabelCalls isFirst />}
        {workloads?.length !== 0 && (
          <>
            <Calls found={found.data} />
            <WorkloadsTable workloads={workloads} />
          </>
        )}
        {hasLabels && workloads !== undefined && <LabelCalls isFirst={false} />}
      </Stack>
    </Page>
  );
}

interface Line {
  readonly label: string;
  readonly color: string;
  readonly values: readonly number[];
}

function Calls({ found }: { readonly found: Workloads | undefined }) {
  const lines = found === undefined ? [] : linesOf(found.workloads);
  return (
    <ChartWithTable
      title="Calls"
      unit={found === undefined ? "calls" : `calls ${perStep(found.stepMs)}`}
      kind="bar"
      series={lines.map(({ label, color }, at) => ({ name: `s${at}`, label, color }))}
      rows={found && rowsOf(found, lines)}
      format={(value) => formatNumber(value)}
      emptyText="Nothing was called in this time."
    />
  );
}

function linesOf(workloads: readonly Workload[]): Line[] {
  const called = workloads.filter(({ calls }) => calls > 0);
  const lines = called.slice(0, MAX_SERIES).map(({ workload, callsByStep }, at) => ({
    label: workload === "" ? "No workload" : shortName(workload),
    color: seriesColor(at),
    values: callsByStep,
  }));
  const others = called.slice(MAX_SERIES);
  const [first] = others;
  if (first === undefined) return lines;
  const values = first.callsByStep.map((_, at) =>
    others.reduce((sum, { callsByStep }) => sum + (callsByStep[at] ?? 0), 0),
  );
  return [...lines, { label: `${others.length} others`, color: OTHERS_COLOR, values }];
}

function rowsOf(found: Workloads, lines: readonly Line[]): ChartRow[] {
  if (lines.length === 0) return [];
  const labels = stepLabels(found.buckets, found);
  return found.buckets.map((_, at) => ({
    at: labels[at] ?? "",
    ...Object.fromEntries(lines.map(({ values }, line) => [`s${line}`, values[at] ?? 0])),
  }));
}
