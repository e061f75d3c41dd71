import "@mantine/charts/styles.css";
import { AreaChart, BarChart, LineChart } from "@mantine/charts";

/** A line, or a part of a bar. */
export interface Series {
  /** Member of the rows that it shows. */
  readonly name: string;
  readonly label: string;
  /** A colour of the theme, indigo.6, or of CSS. */
  readonly color: string;
}

/** A point on the horizontal axis, with the value of each series; null where there is none. */
export interface ChartRow {
  /** What stands below the axis, and in the table. */
  readonly at: string;
  readonly [series: string]: string | number | null;
}

interface Props {
  readonly kind: "line" | "area" | "bar";
  readonly series: readonly Series[];
  readonly rows: readonly ChartRow[];
  readonly format: (value: number | null) => string;
  readonly heightPx: number;
}

/** Most steps of a line that are marked each by a dot. */
const MAX_DOTS = 60;

/** Draws a chart. It is hidden from screen readers: the table says the same. */
export function Chart({ kind, series, rows, format, heightPx }: Props) {
  const shared = {
    h: heightPx,
    data: [...rows],
    dataKey: "at",
    series: [...series],
    valueFormatter: format,
    withLegend: series.length > 1,
    legendProps: { verticalAlign: "bottom" as const },
    tickLine: "none" as const,
    xAxisProps: { minTickGap: 16 },
    yAxisProps: { allowDecimals: !isWhole(rows), width: 64 },
    "aria-hidden": true,
    // What is hidden must not take the focus.
    accessibilityLayer: false,
  };
  const line = {
    curveType: "monotone" as const,
    connectNulls: false,
    // A value between two that are missing is no line: only its dot is seen.
    withDots: rows.length <= MAX_DOTS,
    dotProps: { r: 2 },
  };
  if (kind === "bar") return <BarChart {...shared} type="stacked" />;
  if (kind === "area") return <AreaChart {...shared} {...line} />;
  return <LineChart {...shared} {...line} />;
}

/** Counts have no ticks between whole numbers. */
function isWhole(rows: readonly ChartRow[]): boolean {
  return rows.every((row) => Object.values(row).every((value) => typeof value !== "number" || Number.isInteger(value)));
}
