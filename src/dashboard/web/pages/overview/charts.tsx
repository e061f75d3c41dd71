import { SimpleGrid } from "@mantine/core";
import { colorsOf, OTHERS_COLOR, seriesColor } from "../../figures/series-colors.ts";
import { perStep, stepLabels } from "../../figures/step-label.ts";
import type { Names } from "../../figures/use-names.ts";
import type { ChartRow, Series } from "../../parts/chart.tsx";
import { ChartWithTable } from "../../parts/chart-with-table.tsx";
import { shortName } from "../../parts/name-text.ts";
import { type ChartPlan, chartPlans } from "./chart-plans.ts";
import type { GroupName } from "./groups.ts";
import type { Figures } from "./use-figures.ts";

interface Props {
  readonly figures: Figures | undefined;
  readonly group: GroupName;
  readonly names: Names | undefined;
}

/** A series with its values, one for each step. */
interface Line extends Series {
  readonly values: readonly (number | null)[];
}

/** Everything over time. */
export function Charts({ figures, group, names }: Props) {
  const hasSavings = figures?.all.savedNanos.some((saved) => saved !== 0) ?? false;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" className="attune-charts">
      {chartPlans(group, hasSavings).map((plan) => {
        const lines =
          figures === undefined ? [] : linesOf(plan, figures, group === "none" ? [] : (names?.[group] ?? []));
        const unit =
          figures === undefined ? plan.unit : `${plan.unit} ${plan.kind === "bar" ? perStep(figures.stepMs) : ""}`;
        return (
          <ChartWithTable
            key={plan.title}
            title={plan.title}
            unit={unit}
            kind={plan.kind}
            series={lines.map(({ values: _, ...series }) => series)}
            rows={figures && rowsOf(lines, figures)}
            format={plan.format}
            emptyText={plan.emptyText}
          />
        );
      })}
    </SimpleGrid>
  );
}

function linesOf({ kind, isGrouped, columns }: ChartPlan, { all, groups }: Figures, known: readonly string[]): Line[] {
  const [first] = columns;
  if (!isGrouped || first === undefined) {
    return columns.map(({ column, label }, at) => ({
      name: `s${at}`,
      label,
      color: seriesColor(at),
      values: all[column],
    }));
  }
  const colors = colorsOf(
    groups.flatMap(({ key }) => (key === null ? [] : [key])),
    known,
  );
  const lines = groups.map(({ key, label, columns: values }, at) => ({
    name: `s${at}`,
    label: shortName(label),
    color: key === null ? OTHERS_COLOR : (colors.get(key) ?? OTHERS_COLOR),
    values: values[first.column],
  }));
  // What has no value at any time, such as the times of all others together, would be a line of nothing.
  const shown = lines.filter(({ values }) => values.some((value) => value !== null));
  return kind === "bar" && shown.every(({ values }) => values.every((value) => value === 0)) ? [] : shown;
}

function rowsOf(lines: readonly Line[], figures: Figures): ChartRow[] {
  if (lines.length === 0) return [];
  const labels = stepLabels(figures.buckets, figures);
  return figures.buckets.map((_, at) => ({
    at: labels[at] ?? "",
    ...Object.fromEntries(lines.map(({ name, values }) => [name, values[at] ?? null])),
  }));
}
