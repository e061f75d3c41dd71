import { SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { toRows } from "../../../web/figures/chart-lines.ts";
import type { Range } from "../../../web/figures/range.ts";
import { chooseColors, OTHERS_COLOR, seriesColor } from "../../../web/figures/series-colors.ts";
import { perStep } from "../../../web/figures/step-label.ts";
import type { Names } from "../../../web/figures/use-names.ts";
import type { Series } from "../../../web/parts/chart.tsx";
import { ChartWithTable } from "../../../web/parts/chart-with-table.tsx";
import { historyPath, type RowsFilter, stepRange } from "../../../web/parts/history-path.ts";
import { Legend, shownSeries } from "../../../web/parts/legend.tsx";
import { shortName } from "../../../web/parts/name-text.ts";
import { reasonText } from "../../../web/parts/reason-text.ts";
import { refusedPath } from "../../../web/parts/refused-path.ts";
import { useProject } from "../../../web/shell/session.ts";
import { type ChartPlan, chartName, chartPlans, REFUSED } from "./chart-plans.ts";
import { shownCharts } from "./chosen-charts.ts";
import type { ColumnName, Figures } from "./figures.ts";
import type { GroupName } from "./groups.ts";

interface Props {
  readonly figures: Figures | undefined;
  readonly group: GroupName;
  readonly names: Names | undefined;
  /** Names of the charts that are shown. */
  readonly chosen: readonly string[];
  /** Called with the time that a drag over a chart selects. */
  readonly onZoom: (range: Range) => void;
}

/** A series with its values, one for each step. */
interface Line extends Series {
  /** The key of its group; undefined for what is taken together. */
  readonly key?: string | undefined;
  readonly values: readonly (number | null)[];
}

/** Filters of the history, by what calls are grouped by. */
const FILTERS = { servedModel: "answered", model: "model", key: "key", workload: "workload" } as const;

/** Reasons that people can tell apart by colour; there are hardly more. */
const MOST_REASONS = 8;

/** Columns whose values are of rows of the history. */
const LINKED: readonly ColumnName[] = ["calls", "failedCalls", "costNanos"];

/** Figures over time: groups have one legend for all charts. */
export function Charts(props: Props) {
  const { figures, group, names } = props;
  const [isolated, setIsolated] = useState<string>();
  return (
    <Stack gap="xs">
      {figures !== undefined && group !== "none" && (
        <Legend
          series={listGroups(figures, names?.[group] ?? [])}
          isolated={isolated}
          onIsolate={(name) => setIsolated(name)}
        />
      )}
      <Grid {...props} isolated={isolated} />
    </Stack>
  );
}

function Grid({ figures, group, names, chosen, onZoom, isolated }: Props & { readonly isolated: string | undefined }) {
  const { id: projectId } = useProject();
  const known = chartPlans(group, hasSavings(figures));
  const shown = shownCharts(known.map(chartName), chosen);
  const plans = known.filter((plan) => shown.includes(chartName(plan)));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" className="attune-charts">
      {plans.map((plan) => {
        const all =
          figures === undefined ? [] : listLines(plan, figures, group === "none" ? [] : (names?.[group] ?? []));
        const lines = plan.isGrouped ? shownSeries(all, isolated) : all;
        const unit =
          figures === undefined ? plan.unit : `${plan.unit} ${plan.kind === "bar" ? perStep(figures.stepMs) : ""}`;
        return (
          <ChartWithTable
            key={plan.title}
            title={plan.title}
            unit={unit}
            total={figures && writeTotal(plan, figures)}
            kind={plan.kind}
            series={lines.map(({ values: _, key: _key, ...series }) => series)}
            rows={figures && toRows(lines, figures)}
            format={plan.format}
            emptyText={plan.emptyText}
            hidesLegend={plan.isGrouped}
            onZoom={figures && ((first, last) => onZoom(zoomRange(figures, first, last)))}
            findPath={figures && createPaths(projectId, figures, { group, plan, lines })}
          />
        );
      })}
    </SimpleGrid>
  );
}

/** Returns the time from one step to another, with both. */
function zoomRange({ buckets, stepMs }: Figures, first: number, last: number): Range {
  const fromMs = buckets[first]?.startMs ?? 0;
  return stepRange(fromMs, (buckets[last]?.startMs ?? fromMs) + stepMs - fromMs);
}

/** Tells whether any step of the time has savings. */
export function hasSavings(figures: Figures | undefined): boolean {
  return figures?.all.savedNanos.some((saved) => saved !== 0) ?? false;
}

/** Writes the value of the whole time; undefined for a chart of several figures. */
function writeTotal(plan: ChartPlan, { total, refused }: Figures): string | undefined {
  if (plan === REFUSED) return plan.format(refused.calls);
  const [first, second] = plan.columns;
  return first === undefined || second !== undefined ? undefined : plan.format(total[first.column]);
}

function listLines(plan: ChartPlan, { all, groups, refused }: Figures, known: readonly string[]): Line[] {
  if (plan === REFUSED) {
    return refused.series.slice(0, MOST_REASONS).map(({ reason, calls }, at) => ({
      name: `s${at}`,
      label: reasonText(reason),
      key: reason,
      color: seriesColor(at),
      values: calls,
    }));
  }
  const { kind, isGrouped, columns } = plan;
  const [first] = columns;
  if (!isGrouped || first === undefined) {
    return columns.map(({ column, label }, at) => ({
      name: `s${at}`,
      label,
      color: seriesColor(at),
      values: all[column],
    }));
  }
  const lines = listGroups({ groups }, known).map((line, at) => ({
    ...line,
    values: groups[at]?.columns[first.column] ?? [],
  }));
  // What has no value at any time, such as the times of all others together, would be a line of nothing.
  const shown = lines.filter(({ values }) => values.some((value) => value !== null));
  return kind === "bar" && shown.every(({ values }) => values.every((value) => value === 0)) ? [] : shown;
}

/** Returns the groups with their colours, which are the same in every chart. */
function listGroups({ groups }: Pick<Figures, "groups">, known: readonly string[]): Omit<Line, "values">[] {
  const colors = chooseColors(
    groups.flatMap(({ key }) => (key === null ? [] : [key])),
    known,
  );
  return groups.map(({ key, label }, at) => ({
    name: `s${at}`,
    label: shortName(label),
    key: key ?? undefined,
    color: key === null ? OTHERS_COLOR : (colors.get(key) ?? OTHERS_COLOR),
  }));
}

interface Shown {
  readonly group: GroupName;
  readonly plan: ChartPlan;
  readonly lines: readonly Line[];
}

/** Returns what leads from a value to its calls; undefined where a chart shows other things than calls. */
function createPaths(projectId: string, { buckets, stepMs }: Figures, { group, plan, lines }: Shown) {
  if (plan === REFUSED) {
    return (row: number, series: string): string | undefined => {
      const [reason, bucket] = [lines.find(({ name }) => name === series)?.key, buckets[row]];
      if (reason === undefined || reason === null || bucket === undefined) return undefined;
      return refusedPath(projectId, stepRange(bucket.startMs, stepMs), { reason });
    };
  }
  const { columns } = plan;
  const [first] = columns;
  if (first === undefined || columns.length > 1 || !LINKED.includes(first.column)) return undefined;
  const status: RowsFilter = first.column === "failedCalls" ? { status: "failed" } : {};
  return (row: number, series: string): string | undefined => {
    const key = lines.find(({ name }) => name === series)?.key;
    const startMs = buckets[row]?.startMs;
    if (key === undefined || startMs === undefined) return undefined;
    const own: RowsFilter =
      group === "none"
        ? {}
        : group === "deployment"
          ? { upstream: key.split(" / ")[0] ?? "" }
          : { [FILTERS[group]]: key };
    return historyPath(projectId, stepRange(startMs, stepMs), { ...own, ...status });
  };
}
