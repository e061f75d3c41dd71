import type { ChartFormat, CombinedChart, MeasureRow } from "../../../../figures/measure-row.ts";
import { isAdditive, MEASURES, SHOWN, type ShownName } from "../../../../figures/measures.ts";
import { formatDuration, formatNumber, formatShort, formatShortCost } from "../../../web/parts/format.ts";
import type { ColumnName } from "./figures.ts";
import type { GroupName } from "./groups.ts";

/** The charts that are shown where nobody chose others; there are as many at a time, since more are slow to draw. */
export const FIRST_CHARTS: readonly string[] = ["Calls", "Cost", "Errors", "Latency"];

/** A chart that shows one column, a series for each group. */
export interface ChartPlan {
  readonly title: string;
  /** The name under which it is chosen, the same in all groupings; the title where it is not given. */
  readonly name?: string;
  /** The unit of its values; the length of a step follows. */
  readonly unit: string;
  readonly kind: "line" | "bar";
  readonly format: (value: number | null) => string;
  /** One for each series of all calls together, or the one that is shown group by group. */
  readonly columns: readonly { readonly column: ColumnName; readonly label: string }[];
  readonly isGrouped: boolean;
  /** The text shown when all values are zero. */
  readonly emptyText: string;
}

const NO_CALLS = "Choose a longer period, or send a call.";

const FORMATS: Readonly<Record<ChartFormat, ChartPlan["format"]>> = {
  number: formatNumber,
  short: formatShort,
  cost: formatShortCost,
  duration: formatDuration,
};

/** The charts of the figures that have one, group by group, with those that are chosen first at the beginning. */
const SINGLE = SHOWN.flatMap((name) => {
  const { page }: Pick<MeasureRow, "page"> = MEASURES[name];
  const { chart, part } = page ?? {};
  if (chart === undefined) return [];
  const { format, empty = NO_CALLS, ...plan } = chart;
  const columns = [{ column: MEASURES[name].page.column, label: chart.title }];
  const kind: ChartPlan["kind"] = isAdditive(name) ? "bar" : "line";
  return [{ ...plan, measure: name, part, kind, columns, isGrouped: true, format: FORMATS[format], emptyText: empty }];
});

/** Its series are the reasons, whatever calls are grouped by: a call that is refused has no model. */
export const REFUSED: ChartPlan = {
  title: "Refused calls",
  unit: "calls by reason",
  kind: "bar",
  isGrouped: false,
  columns: [],
  format: formatNumber,
  emptyText: "No call was refused.",
};

/** Returns a chart of several figures, which is shown where all calls are taken together. */
function combine(title: CombinedChart, plan: Pick<ChartPlan, "unit" | "kind" | "format">): ChartPlan {
  const columns = SHOWN.flatMap((name) => {
    const { part, column }: ShownPart = MEASURES[name].page;
    return part?.of === title && part.label !== undefined ? [{ column, label: part.label }] : [];
  });
  // Lines are named from the highest to the lowest.
  const ordered = plan.kind === "line" ? columns.toReversed() : columns;
  return { title, ...plan, columns: ordered, isGrouped: false, emptyText: NO_CALLS };
}

type ShownPart = { readonly column: ColumnName } & Pick<NonNullable<MeasureRow["page"]>, "part">;

const COMBINED: readonly ChartPlan[] = [
  combine("Latency", { unit: "of completed calls", kind: "line", format: formatDuration }),
  combine("Tokens", { unit: "tokens", kind: "bar", format: formatShort }),
];

const SAVED: ShownName = "saved";

/** Returns the charts of a grouping that there are to choose from, that of savings among these once there are some. */
export function chartPlans(group: GroupName, hasSavings: boolean): readonly ChartPlan[] {
  const single = SINGLE.filter(({ measure, part }) => measure !== SAVED && (group !== "none" || part === undefined));
  const plans: readonly ChartPlan[] = group === "none" ? [...COMBINED, ...single] : single;
  const first = FIRST_CHARTS.flatMap((name) => plans.filter((plan) => chartName(plan) === name));
  const saved = hasSavings ? SINGLE.filter(({ measure }) => measure === SAVED) : [];
  return [...first, ...saved, REFUSED, ...plans.filter((plan) => !first.includes(plan))];
}

/** Returns the name under which a chart is chosen. */
export function chartName({ name, title }: ChartPlan): string {
  return name ?? title;
}
