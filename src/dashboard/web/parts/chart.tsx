import "@mantine/charts/styles.css";
import { AreaChart, BarChart, LineChart } from "@mantine/charts";
import type { ChartRow, Series } from "./chart-with-table.tsx";

interface Props {
  readonly kind: "line" | "area" | "bar";
  readonly series: readonly Series[];
  readonly rows: readonly ChartRow[];
  readonly format: (value: number | null) => string;
  readonly heightPx: number;
}

/** Draws a chart. It is hidden from screen readers: the table says the same. */
export function Chart({ kind, series, rows, format, heightPx }: Props) {
  const shared = {
    h: heightPx,
    data: [...rows],
    dataKey: "at",
    series: [...series],
    valueFormatter: format,
    withLegend: series.length > 1,
    gridAxis: "y" as const,
    tickLine: "none" as const,
    "aria-hidden": true,
  };
  if (kind === "bar") return <BarChart {...shared} type="stacked" />;
  if (kind === "area") return <AreaChart {...shared} curveType="monotone" withDots={false} connectNulls={false} />;
  return <LineChart {...shared} curveType="monotone" withDots={false} connectNulls={false} />;
}
