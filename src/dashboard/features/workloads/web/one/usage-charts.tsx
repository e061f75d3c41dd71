import { SimpleGrid } from "@mantine/core";
import { OTHERS_COLOR, seriesColor } from "../../../../web/figures/series-colors.ts";
import { perStep, stepLabels } from "../../../../web/figures/step-label.ts";
import { ChartWithTable } from "../../../../web/parts/chart-with-table.tsx";
import { formatNumber, formatShortCost } from "../../../../web/parts/format.ts";
import type { WorkloadDetails } from "../types.ts";

/** The charts of the models that answered, and of what that saved. */
export function UsageCharts({ usage }: Pick<WorkloadDetails, "usage">) {
  const labels = stepLabels(usage.buckets, usage);
  const sumSaved = ({ costNanos, baseCostNanos }: (typeof usage.steps)[number]) =>
    costNanos === null || baseCostNanos === null ? null : baseCostNanos - costNanos;
  const hasCalls = usage.total.calls > 0;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" className="attune-charts">
      <ChartWithTable
        title="Answered by"
        unit={`calls ${perStep(usage.stepMs)}`}
        kind="bar"
        series={[
          { name: "base", label: "Base model", color: OTHERS_COLOR },
          { name: "others", label: "Routed", color: seriesColor(0) },
        ]}
        rows={
          hasCalls
            ? usage.steps.map(({ calls, routedCalls }, at) => ({
                at: labels[at] ?? "",
                base: calls - routedCalls,
                others: routedCalls,
              }))
            : []
        }
        format={(value) => formatNumber(value)}
        emptyText="Choose a longer period, or send a call."
      />
      <ChartWithTable
        title="Saved against the base model alone"
        unit={`dollars ${perStep(usage.stepMs)}`}
        kind="bar"
        series={[{ name: "saved", label: "Saved", color: seriesColor(2) }]}
        rows={
          usage.steps.some((step) => sumSaved(step) !== null)
            ? usage.steps.map((step, at) => ({ at: labels[at] ?? "", saved: sumSaved(step) }))
            : []
        }
        format={(value) => formatShortCost(value)}
        emptyText="No calls with a known price in this period."
      />
    </SimpleGrid>
  );
}
