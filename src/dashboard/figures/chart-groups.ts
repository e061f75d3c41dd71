import type { FigureGroup, FigurePoint } from "../../store/dashboard/figures/read-figures.ts";
import { addColumns, type ColumnValues, toColumns } from "./columns.ts";
import { groupKey, type Labeller } from "./labels.ts";
import type { Bucket } from "./window.ts";

/** One group of a chart. */
interface ChartGroup {
  /** The group's key; null for all further groups together. */
  readonly key: string | null;
  readonly label: string;
  readonly columns: ColumnValues;
}

/** Groups that people can still tell apart by colour. */
export const MAX_GROUPS = 7;

/** Puts points into groups, the most called first; beyond seven, the others are taken together. */
export function chartGroups(
  points: readonly FigurePoint[],
  buckets: readonly Bucket[],
  { group, label }: { readonly group: FigureGroup; readonly label: Labeller },
): ChartGroup[] {
  const apart = [...Map.groupBy(points, (point) => JSON.stringify(point.group)).values()].map((own) => ({
    own,
    calls: own.reduce((sum, { figures }) => sum + figures.calls, 0),
  }));
  const groups = apart
    .sort((a, b) => b.calls - a.calls)
    .map(({ own }) => toGroup(own, buckets, (values) => label(group, values)));
  if (groups.length <= MAX_GROUPS) return groups;
  const others = groups.slice(MAX_GROUPS);
  const columns = addColumns(
    others.map((other) => other.columns),
    buckets.length,
  );
  return [...groups.slice(0, MAX_GROUPS), { key: null, label: `${others.length} others`, columns }];
}

function toGroup(
  own: readonly FigurePoint[],
  buckets: readonly Bucket[],
  label: (values: readonly string[]) => string,
): ChartGroup {
  const values = own[0]?.group ?? [];
  const byStart = new Map(own.map(({ startMs, figures }) => [startMs, figures]));
  return {
    key: groupKey(values),
    label: label(values),
    columns: toColumns(buckets.map(({ startMs }) => byStart.get(startMs))),
  };
}
