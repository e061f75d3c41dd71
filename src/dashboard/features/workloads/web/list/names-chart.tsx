import { toLines, toRows } from "../../../../web/figures/chart-lines.ts";
import { perStep } from "../../../../web/figures/step-label.ts";
import { ChartWithTable } from "../../../../web/parts/chart-with-table.tsx";
import { formatNumber } from "../../../../web/parts/format.ts";
import { shortName } from "../../../../web/parts/name-text.ts";
import type { Workloads } from "../types.ts";

/** The chart of calls by workload name. */
export function NamesChart({ found }: { readonly found: Workloads | undefined }) {
  const called = found?.workloads.filter(({ calls }) => calls > 0) ?? [];
  const lines = toLines(
    called.map(({ workload, callsByStep }) => ({
      label: workload === "" ? "No name" : shortName(workload),
      values: callsByStep,
    })),
  );
  return (
    <ChartWithTable
      title="Calls"
      unit={found === undefined ? "calls" : `calls ${perStep(found.stepMs)}`}
      kind="bar"
      series={lines}
      rows={found && toRows(lines, found)}
      format={(value) => formatNumber(value)}
      emptyText="No calls in this period."
    />
  );
}
