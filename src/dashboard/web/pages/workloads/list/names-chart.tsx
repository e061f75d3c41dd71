import { OTHERS_COLOR, seriesColor } from "../../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../../figures/step-label.ts";
import type { ChartRow } from "../../../parts/chart.tsx";
import { ChartWithTable } from "../../../parts/chart-with-table.tsx";
import { formatNumber } from "../../../parts/format.ts";
import { shortName } from "../../../parts/name-text.ts";
import type { Workload, Workloads } from "../types.ts";

/** Names that people can still tell apart by colour. */
const MAX_SERIES = 7;

interface Line {
  readonly label: string;
  readonly color: string;
  readonly values: readonly number[];
}

/** The chart of calls by workload name. */
export function NamesChart({ found }: { readonly found: Workloads | undefined }) {
  const lines = found === undefined ? [] : listLines(found.workloads);
  return (
    <ChartWithTable
      title="Calls"
      unit={found === undefined ? "calls" : `calls ${perStep(found.stepMs)}`}
      kind="bar"
      series={lines.map(({ label, color }, at) => ({ name: `s${at}`, label, color }))}
      rows={found && listRows(found, lines)}
      format={(value) => formatNumber(value)}
      emptyText="No calls in this period."
    />
  );
}

function listLines(workloads: readonly Workload[]): Line[] {
  const called = workloads.filter(({ calls }) => calls > 0);
  const lines = called.slice(0, MAX_SERIES).map(({ workload, callsByStep }, at) => ({
    label: workload === "" ? "No name" : shortName(workload),
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

function listRows(found: Workloads, lines: readonly Line[]): ChartRow[] {
  if (lines.length === 0) return [];
  const labels = stepLabels(found.buckets, found);
  return found.buckets.map((_, at) => ({
    at: labels[at] ?? "",
    ...Object.fromEntries(lines.map(({ values }, line) => [`s${line}`, values[at] ?? 0])),
  }));
}
