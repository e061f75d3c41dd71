import { seriesColor } from "../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../figures/step-label.ts";
import { ChartWithTable } from "../../parts/chart-with-table.tsx";
import { formatNumber } from "../../parts/format.ts";
import { historyPath, stepRange } from "../../parts/history-path.ts";
import { reasonText } from "../../parts/reason-text.ts";
import { refusedPath } from "../../parts/refused-path.ts";
import { useProject } from "../../shell/session.ts";
import type { Errors } from "./types.ts";

/** Reasons that people can tell apart by colour. */
const MOST = 8;

/** Failed and refused calls over time, a colour for each reason. */
export function ReasonsChart({ errors }: { readonly errors: Errors | undefined }) {
  const { id: projectId } = useProject();
  const shown = errors?.series.slice(0, MOST) ?? [];
  const labels = errors === undefined ? [] : stepLabels(errors.buckets, errors);
  const findPath = (row: number, name: string) => {
    const series = shown[Number(name.slice(1))];
    const startMs = errors?.buckets[row]?.startMs;
    if (errors === undefined || series === undefined || startMs === undefined) return undefined;
    const step = stepRange(startMs, errors.stepMs);
    if (series.isRefused) return refusedPath(projectId, step, { reason: series.reason });
    return historyPath(projectId, step, { status: "failed", reason: series.reason });
  };
  return (
    <ChartWithTable
      title="Failed and refused calls"
      unit={errors === undefined ? "calls" : `calls ${perStep(errors.stepMs)}; a bar leads to its calls`}
      kind="bar"
      series={shown.map(({ reason, isRefused }, at) => ({
        name: `s${at}`,
        label: isRefused ? `refused: ${reasonText(reason)}` : reasonText(reason),
        color: seriesColor(at),
      }))}
      rows={errors?.buckets.map((_, row) => ({
        at: labels[row] ?? "",
        ...Object.fromEntries(shown.map(({ calls }, at) => [`s${at}`, calls[row] ?? 0])),
      }))}
      format={(value) => formatNumber(value)}
      emptyText="No call failed or was refused."
      findPath={findPath}
    />
  );
}
